/** Models of the built-in demo upstream (SPEC 2.8). */
export const DEMO_MODELS = ['demo/ok', 'demo/flaky', 'demo/overloaded-stream', 'demo/down'] as const;
export type DemoModel = (typeof DEMO_MODELS)[number];

/** What the demo does with one attempt. */
export type DemoTurn = 'answer' | 'unavailable' | 'overloaded_stream';

const FAILURES_FIRST = 2;

/** What happens to the n-th attempt (from 1) of an exchange: two models fail twice, each in its own way, one always. A whole answer has no stream to break. */
export function demoTurn(model: DemoModel, attempt: number, streamed: boolean): DemoTurn {
  switch (model) {
    case 'demo/ok': return 'answer';
    case 'demo/down': return 'unavailable';
    case 'demo/flaky': return attempt > FAILURES_FIRST ? 'answer' : 'unavailable';
    case 'demo/overloaded-stream': return attempt > FAILURES_FIRST ? 'answer' : streamed ? 'overloaded_stream' : 'unavailable';
  }
}

export function isDemoModel(model: string): model is DemoModel {
  return (DEMO_MODELS as readonly string[]).includes(model);
}

/** What the demo says, word by word. */
export function demoWords(model: DemoModel): readonly string[] {
  const text = model === 'demo/ok'
    ? 'Hello from the demo upstream of Holdfast. This answer came at the first attempt.'
    : 'Hello from the demo upstream of Holdfast. Two attempts failed before this one, and you have not seen anything of them.';
  return text.split(/(?<= )/);
}
