/** Who sent a request: what Electron tells of it. */
export interface Sender {
  readonly sender: { readonly id: number };
  readonly senderFrame: { readonly url: string; readonly parent: unknown } | null;
}

/** Whether it was sent by the main frame of the app's window, and that still shows the app's own page. */
export function isOurPage({ sender, senderFrame }: Sender, page: { readonly id: number } | null, origin: string): boolean {
  // A frame that has gone meanwhile is null: nobody is there to be answered.
  if (page === null || senderFrame === null || sender.id !== page.id || senderFrame.parent !== null) return false;
  return senderFrame.url.startsWith(`${origin}/`);
}
