import { answersWith } from '../../support/answers/index.ts';
import { json } from '../../support/answers/provider.ts';
import { startScriptedUpstream, type Call, type Script, type ScriptedUpstream } from '../../support/scripted-upstream.ts';

/** A scripted upstream for real clients, which send more than the request that does the task: titles, classifiers, token counts. */
export interface ClientUpstream {
  readonly url: string;
  /** Attempts of the request that does the task, in order. */
  readonly main: readonly Call[];
  /** Everything else that was asked; answered well at once. */
  readonly others: readonly Call[];
  close(): Promise<void>;
}

/** The request that does the task brings tools along (Codex puts them into its input); the small ones besides do not. */
async function isMain(call: Call): Promise<boolean> {
  if (call.method !== 'POST' || /count_?tokens/i.test(call.target)) return false;
  return (await call.body).includes('"tools":[{');
}

/** Starts it; `play` answers the n-th attempt of the main request, from 0. */
export async function startClientUpstream(play: (attempt: number, first: Call) => Script): Promise<ClientUpstream> {
  const upstream: ScriptedUpstream = await startScriptedUpstream();
  const main: Call[] = [];
  const others: Call[] = [];
  upstream.otherwise(async (call) => {
    if (await isMain(call)) {
      main.push(call);
      await play(main.length - 1, main[0]!)(call);
      return;
    }
    others.push(call);
    if (/count_?tokens/i.test(call.target)) await json(call, 200, { input_tokens: 10, totalTokens: 10 });
    else await answersWith('ok')(call);
  });
  return { url: upstream.url, main, others, close: () => upstream.close() };
}
