import './dom.ts';
import { act, render } from '@testing-library/react';
import { App } from '../../../renderer/app.tsx';
import type { IpcEvents } from '../../../shared/ipc.ts';
import { createFakeBridge, fakeWorld, type FakeBridge, type FakeWorld } from './fake-bridge.ts';

/** The whole window over a fake bridge; `tell` sends an event as main does. */
export interface TestWindow {
  readonly fake: FakeBridge;
  readonly tell: <K extends keyof IpcEvents>(name: K, payload: IpcEvents[K]) => void;
}

/** Opens the window over a world at its first start, with what differs given. */
export function openWindow(part: Partial<FakeWorld> = {}): TestWindow {
  return renderWindow(createFakeBridge(fakeWorld(part)));
}

/** Opens the window over a fake bridge whose answers are as the test wants them. */
export function renderWindow(fake: FakeBridge): TestWindow {
  Object.defineProperty(window, 'holdfast', { configurable: true, value: fake.bridge });
  render(<App />);
  return { fake, tell: (name, payload) => act(() => fake.emit(name, payload)) };
}
