import ts from 'typescript';

/** One call that asks for a text: which keys it can ask for, and the values it gives. */
export interface KeyUse {
  /** `file:line`, for messages. */
  readonly at: string;
  /** Every key the call can name, spelled out; a part that can be any string stands as `*`. */
  readonly keys: readonly string[];
  /** Names of the values given; null when they are not written out at the call. */
  readonly values: readonly string[] | null;
}

export interface KeyUses {
  readonly calls: readonly KeyUse[];
  /** Every string in the code that could be a key which reaches its call by a variable; `*` as above. */
  readonly mentions: ReadonlySet<string>;
}

const KEY_LIKE = /^[a-z][\w-]*(\.[\w*-]+)+$/i;

const textOfType = (type: ts.Type): string[] => {
  const members = type.isUnion() ? type.types : [type];
  // Undefined has its own branch wherever a key is asked for: the types see to that.
  return members.map((member) => (member.isStringLiteral() ? member.value : member.isNumberLiteral() ? String(member.value) : '*'));
};

/** Every text an expression can have, as far as the types tell. */
function textsOf(expression: ts.Expression, checker: ts.TypeChecker): string[] {
  if (ts.isStringLiteralLike(expression)) return [expression.text];
  if (ts.isParenthesizedExpression(expression)) return textsOf(expression.expression, checker);
  if (ts.isConditionalExpression(expression)) return [...textsOf(expression.whenTrue, checker), ...textsOf(expression.whenFalse, checker)];
  if (!ts.isTemplateExpression(expression)) return textOfType(checker.getTypeAtLocation(expression));
  return expression.templateSpans.reduce<string[]>(
    (starts, span) => starts.flatMap((start) => textsOf(span.expression, checker).map((part) => start + part + span.literal.text)),
    [expression.head.text],
  );
}

function valuesOf(argument: ts.Expression | undefined): string[] | null {
  if (argument === undefined) return [];
  if (!ts.isObjectLiteralExpression(argument)) return null;
  const names = argument.properties.map((property) => (property.name !== undefined && (ts.isIdentifier(property.name) || ts.isStringLiteral(property.name)) ? property.name.text : null));
  return names.includes(null) ? null : names.filter((name) => name !== null);
}

const isTextCall = (callee: ts.Expression) => (ts.isIdentifier(callee) && callee.text === 't') || (ts.isPropertyAccessExpression(callee) && callee.name.text === 't');

/** The expression that names the key, when a node asks for a text: `t(key, values)`, `texts.t(key)`, `i18nKey={key}`. */
function keyExpression(node: ts.Node): ts.Expression | undefined {
  if (ts.isCallExpression(node) && isTextCall(node.expression)) return node.arguments[0];
  if (ts.isJsxAttribute(node) && node.name.getText() === 'i18nKey') {
    const { initializer } = node;
    return initializer !== undefined && ts.isJsxExpression(initializer) ? initializer.expression : initializer;
  }
  return undefined;
}

/** Reads the files that `isOurs` of a program, and finds where they ask for texts. */
export function findKeyUses(program: ts.Program, isOurs: (path: string) => boolean): KeyUses {
  const checker = program.getTypeChecker();
  const calls: KeyUse[] = [];
  const mentions = new Set<string>();
  const mention = (texts: string[]) => texts.filter((text) => KEY_LIKE.test(text)).forEach((text) => mentions.add(text));
  for (const file of program.getSourceFiles()) {
    if (!isOurs(file.fileName)) continue;
    const visit = (node: ts.Node): void => {
      const key = keyExpression(node);
      if (key !== undefined) {
        const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
        calls.push({ at: `${file.fileName}:${line}`, keys: textsOf(key, checker), values: ts.isCallExpression(node) ? valuesOf(node.arguments[1]) : null });
      }
      if (ts.isStringLiteralLike(node)) mention([node.text]);
      if (ts.isTemplateExpression(node)) mention(textsOf(node, checker));
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return { calls, mentions };
}

/** Whether a key is one that a use can mean; plural forms are meant by their key without the ending. */
export function isMeant(key: string, use: string): boolean {
  const names = [key, withoutPlural(key)];
  if (!use.includes('*')) return names.includes(use);
  const pattern = new RegExp(`^${use.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.+')}$`);
  return names.some((name) => pattern.test(name));
}

/** A key without the ending that i18next gives to plural forms; English and Chinese have no others than these two. */
export const withoutPlural = (key: string) => key.replace(/_(one|other)$/, '');
