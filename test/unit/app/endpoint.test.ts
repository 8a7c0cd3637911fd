// SPEC 1.1, 14: the endpoint is where the settings say, and a move by the window becomes the setting.
import { describe, expect, it } from 'vitest';
import { createEndpointKeeper } from '../../../main/app/endpoint.ts';
import type { GatewayState } from '../../../shared/events.ts';
import type { SettingKey } from '../../../shared/settings.ts';

/** A gateway that can listen on any port but the taken ones. */
function world(taken: number[] = []) {
  const settings: Record<string, unknown> = { 'gateway.port': 4653, 'gateway.bind': 'loopback' };
  const listened: number[] = [];
  const parts = {
    config: { settings: () => settings },
    store: { settings: { set: (key: SettingKey, value: unknown) => { settings[key] = value; return Promise.resolve({ ok: true }); } } },
    start: ({ port = settings['gateway.port'] as number }: { readonly port?: number } = {}): Promise<GatewayState> => {
      listened.push(port);
      return Promise.resolve(taken.includes(port) ? { status: 'failed', problem: { kind: 'port_in_use', port, owner: null, freePort: port + 1 } } : { status: 'running', url: `http://127.0.0.1:${port}`, port, problem: null });
    },
  };
  return { settings, listened, keeper: createEndpointKeeper(parts as unknown as Parameters<typeof createEndpointKeeper>[0]) };
}

describe('the endpoint', () => {
  it('opens where the settings say, and stays while they say the same', async () => {
    const { keeper, listened, settings } = world();
    expect(await keeper.open()).toMatchObject({ status: 'running', port: 4653 });
    settings['gateway.retry_wait_secs'] = 30;
    await keeper.followSettings();
    expect(listened).toEqual([4653]);
  });

  it('moves when the setting changes', async () => {
    const { keeper, listened, settings } = world();
    await keeper.open();
    settings['gateway.port'] = 5000;
    await keeper.followSettings();
    await keeper.followSettings();
    expect(listened).toEqual([4653, 5000]);
  });

  it('moved by the window keeps the new port as the setting, and is opened once', async () => {
    const { keeper, listened, settings } = world([4653]);
    expect((await keeper.open()).status).toBe('failed');
    expect(await keeper.usePort(4654)).toMatchObject({ status: 'running', port: 4654 });
    expect(settings['gateway.port']).toBe(4654);
    await keeper.followSettings();
    expect(listened).toEqual([4653, 4654]);
  });

  it('leaves the setting alone when the port cannot be had', async () => {
    const { keeper, settings } = world([4653, 4654]);
    await keeper.open();
    expect((await keeper.usePort(4654)).status).toBe('failed');
    expect(settings['gateway.port']).toBe(4653);
  });
});
