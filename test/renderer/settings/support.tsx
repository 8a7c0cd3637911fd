import { screen } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { defaultSettings, type Settings } from '../../../shared/settings.ts';
import type { FakeWorld } from '../support/fake-bridge.ts';
import { openWindow, type TestWindow } from '../support/window.tsx';

/** The window on one section of the settings, in English. */
export interface OpenedSection extends TestWindow {
  readonly user: UserEvent;
  /** What the window asked main to save so far. */
  readonly sent: () => readonly unknown[];
  /** Tells the window that settings were changed elsewhere. */
  readonly changeElsewhere: (part: Partial<Settings>) => void;
}

/** Opens the settings at a section, with the settings that differ from the defaults. */
export async function openSection(name: string, part: Partial<Settings> = {}, world: Partial<FakeWorld> = {}): Promise<OpenedSection> {
  const settings: Settings = { ...defaultSettings(), 'app.language': 'en', ...part };
  const opened = openWindow({ ...world, settings });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Settings' }));
  await user.click(await screen.findByRole('button', { name }));
  await screen.findByRole('heading', { level: 1, name });
  return {
    ...opened, user,
    sent: () => opened.fake.asked.filter((one) => one.name === 'settings.set').map((one) => one.argument),
    changeElsewhere: (changed) => opened.tell('settings.changed', { ...settings, ...changed }),
  };
}

/** Puts a text into a field in one go and means it. */
export async function enter(user: UserEvent, field: HTMLElement, text: string): Promise<void> {
  await user.clear(field);
  await user.click(field);
  await user.paste(text);
  await user.keyboard('{Enter}');
}
