// Settings > Gateway > Routing strategy: the user's own rules and their tester (UI.md; SPEC 4.7).
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { RetryRule } from '../../../shared/settings.ts';
import { enter, openSection } from './support.tsx';

const warming: RetryRule = { upstream: null, statuses: [400, 422], text: 'warming up', class: 'transient' };
const limited: RetryRule = { upstream: 'demo', statuses: [], pattern: '(?i)slow down', class: 'rate_limited' };
const open = (rules: RetryRule[]) => openSection('Routing strategy', { 'gateway.retry_rules': rules });
const card = () => within(screen.getByRole('region', { name: 'Your own rules' }));
const listed = () => card().queryAllByRole('listitem').map((item) => item.textContent);
const rulesOf = (argument: unknown) => (argument as { value: RetryRule[] }).value;
const dialog = async () => within(await screen.findByRole('dialog'));

describe('the rules', () => {
  it('are read as sentences in their order', async () => {
    await open([warming, limited, { upstream: 'gone', statuses: [503], class: 'quota' }]);
    expect(listed()[0]).toContain('Any upstream, status 400, 422, body says “warming up”');
    expect(listed()[0]).toContain('Counts as: overloaded or down.');
    await waitFor(() => expect(listed()[1]).toContain('Demo, any status, body matches (?i)slow down'));
    expect(listed()[2]).toContain('gone (gone), status 503');
  });

  it('get one more with Add', async () => {
    const { user, sent } = await open([limited]);
    await user.click(card().getByRole('button', { name: 'Add rule' }));
    const form = await dialog();
    await enter(user, form.getByRole('textbox', { name: 'Statuses: add a status' }), '400');
    await user.click(form.getByRole('textbox', { name: 'Text' }));
    await user.paste('warming up');
    await user.click(form.getByRole('button', { name: 'Add rule' }));
    await waitFor(() => expect(sent()).toHaveLength(1));
    expect(rulesOf(sent()[0])).toEqual([limited, { upstream: null, statuses: [400], text: 'warming up', class: 'transient' }]);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('refuse a pattern that the engine cannot read with a message, and save nothing', async () => {
    const { user, fake, sent } = await open([limited]);
    await user.click(card().getByRole('button', { name: /^Edit: rule 1/ }));
    const form = await dialog();
    const pattern = form.getByRole<HTMLInputElement>('textbox', { name: 'Regular expression' });
    await user.clear(pattern);
    await user.click(pattern);
    await user.paste('slow(?=down)');
    await user.click(form.getByRole('button', { name: 'Save' }));
    expect(await form.findByText(/This pattern cannot be read. Nothing was saved/)).toBeTruthy();
    expect(sent()).toHaveLength(1);
    expect(await fake.bridge.request['settings.all'](null)).toMatchObject({ 'gateway.retry_rules': [limited] });
  });

  it('need something to look for, unless any body will do', async () => {
    const { user, sent } = await open([]);
    await user.click(card().getByRole('button', { name: 'Add rule' }));
    const form = await dialog();
    await user.click(form.getByRole('button', { name: 'Add rule' }));
    expect(await form.findByText(/Say what to look for/)).toBeTruthy();
    expect(sent()).toEqual([]);
    await user.click(form.getByRole('radio', { name: 'Anything' }));
    await user.click(form.getByRole('button', { name: 'Add rule' }));
    await waitFor(() => expect(rulesOf(sent()[0])).toEqual([{ upstream: null, statuses: [], class: 'transient' }]));
  });

  it('change places, go, and come back with Undo', async () => {
    const { user, sent } = await open([warming, limited]);
    await user.click(card().getByRole('button', { name: /^Move down: rule 1/ }));
    await waitFor(() => expect(rulesOf(sent()[0])).toEqual([limited, warming]));
    await waitFor(() => expect(listed()[0]).toContain('(?i)slow down'));
    await user.click(card().getByRole('button', { name: /^Delete: rule 1/ }));
    await waitFor(() => expect(rulesOf(sent()[1])).toEqual([warming]));
    // At once: the toast does not wait for long.
    fireEvent.click((await screen.findAllByRole('button', { name: 'Undo' })).at(-1) as HTMLElement);
    await waitFor(() => expect(rulesOf(sent()[2])).toEqual([limited, warming]));
  });

  it('are changed in their own place even if the list was changed elsewhere meanwhile', async () => {
    const { user, sent, changeElsewhere } = await open([warming, limited]);
    await user.click(card().getByRole('button', { name: /^Edit: rule 2/ }));
    const form = await dialog();
    changeElsewhere({ 'gateway.retry_rules': [limited] });
    await user.selectOptions(form.getByRole('combobox', { name: 'Counts as' }), 'server error');
    await user.click(form.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(rulesOf(sent()[0])).toEqual([{ ...limited, class: 'server' }]));
  });
});

describe('the tester', () => {
  it('says which rule takes a pasted body and which class results, as main does', async () => {
    const { user, fake } = await open([limited, warming]);
    await user.click(screen.getByRole('textbox', { name: 'Body of the answer to try' }));
    await user.paste('{"error":{"type":"invalid_request_error","message":"The model is warming up"}}');
    expect(await screen.findByText('Rule 2 takes it: overloaded or down (status 400).')).toBeTruthy();
    expect(screen.getByText(/Without your rules: request rejected\./)).toBeTruthy();
    expect(card().getAllByRole('listitem')[1]?.className).toContain('matched');
    expect(fake.asked.filter(({ name }) => name === 'rules.try').length).toBeGreaterThan(0);
  });

  it('gives the built-in class when no rule does, and refuses a status out of range', async () => {
    const { user } = await open([]);
    await user.click(screen.getByRole('textbox', { name: 'Body of the answer to try' }));
    await user.paste('{"error":{"message":"no"}}');
    expect(await screen.findByText('No rule takes it: request rejected (status 400).')).toBeTruthy();
    await enter(user, screen.getByRole('textbox', { name: 'Status' }), '700');
    expect(await screen.findByText('The status is a whole number from 200 to 599.')).toBeTruthy();
  });

  it('reads an event of a stream with the status it stands for', async () => {
    const { user } = await open([]);
    await user.click(screen.getByRole('radio', { name: 'Event in a stream' }));
    await user.click(screen.getByRole('textbox', { name: 'Body of the answer to try' }));
    await user.paste('data: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}');
    expect(await screen.findByText('No rule takes it: overloaded or down (status 529).')).toBeTruthy();
  });
});
