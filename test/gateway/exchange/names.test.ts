// No key reaches the log by the name of a model (SPEC 12.5).
import { expect, it } from 'vitest';
import { answered, createExchangeRig, overloaded } from '../../support/exchange-rig.ts';

const CANARY = 'sk-ant-api03-c4n4ry0123456789';

it('a key in the place of a model is masked in everything that is told of the exchange, and sent as it is', async () => {
  const rig = createExchangeRig();
  rig.script('a', overloaded, { answers: { facts: { model: `m-${CANARY}`, usage: null, finishReason: 'stop' } } });
  const { row } = await rig.finish(rig.start({ model: CANARY }).done);
  expect(row).toMatchObject({ outcome: 'success', attempts: 2, model_asked: '[masked]', model_served: 'm-[masked]' });
  expect(JSON.stringify(rig.events)).not.toContain(CANARY);
  expect(rig.sent.map(({ order }) => order.arrival.model)).toEqual([CANARY, CANARY]);
});

it('names of models stay as they are, however long', async () => {
  const names = [
    'ft:gpt-4o-2024-08-06:my-org:custom_suffix:AbCdEf12', 'accounts/fireworks/models/llama-v3p1-405b-instruct', 'hf.co/bartowski/Llama-3.2-3B-Instruct-GGUF:Q4_K_M',
    'arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-3-5-sonnet-20241022-v2:0', '@cf/meta/llama-3.1-8b-instruct-fp8',
  ];
  for (const name of names) {
    const rig = createExchangeRig();
    rig.script('a', answered);
    expect((await rig.finish(rig.start({ model: name }).done)).row.model_asked).toBe(name);
  }
});

it('a name that is none is cut: a row with many attempts does not grow by it', async () => {
  const rig = createExchangeRig();
  rig.script('a', overloaded, { answers: { facts: { model: '模'.repeat(100_000), usage: null, finishReason: 'stop' } } });
  const { row } = await rig.finish(rig.start({ model: 'm'.repeat(100_000) }).done);
  expect(row).toMatchObject({ outcome: 'success', model_asked: `${'m'.repeat(256)}…`, model_served: `${'模'.repeat(256)}…` });
  expect(JSON.stringify(row).length).toBeLessThan(4_000);
});
