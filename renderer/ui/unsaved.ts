// Editors that hold something that is not saved. Each puts itself in, and takes itself out when it saves, closes or is taken away.
const editors = new Set<object>();

/** Notes whether an editor, any object that stands for it, holds something that is not saved. */
export function noteUnsaved(editor: object, unsaved: boolean): void {
  if (unsaved) editors.add(editor);
  else editors.delete(editor);
}

/** Whether going to another page now would throw away something typed. */
export const holdsUnsaved = (): boolean => editors.size > 0;
