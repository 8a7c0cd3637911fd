import { IconDeviceDesktop, IconFlask } from '@tabler/icons-react';
import type { UpstreamPreset } from '../../shared/upstream.ts';
import { presetFacts } from '../../shared/presets.ts';

/** A sign of our own for an upstream: a machine for one that runs here, a flask for the demo, else the initials of its name. */
export function PresetGlyph({ preset, name, size = 30 }: { readonly preset: UpstreamPreset; readonly name: string; readonly size?: number }) {
  const Icon = preset === 'demo' ? IconFlask : presetFacts(preset)?.wantsKey === false ? IconDeviceDesktop : null;
  return (
    <span className={`hf-glyph hf-glyph-${hueOf(preset === 'generic' ? name : preset)}`} style={{ width: size, height: size, fontSize: size * 0.4 }} aria-hidden="true">
      {Icon === null ? initialsOf(name) : <Icon size={size * 0.58} stroke={1.7} />}
    </span>
  );
}

/** One or two letters: of the first two words or humps, or the first two of a single word. */
export function initialsOf(name: string): string {
  const words = name.trim().replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2').split(/[\s._-]+/).filter((word) => word !== '');
  const letters = words.length > 1 ? words.slice(0, 2).map((word) => Array.from(word)[0] ?? '') : Array.from(words[0] ?? '?').slice(0, 2);
  return letters.map((letter, index) => (index === 0 || words.length > 1 ? letter.toUpperCase() : letter)).join('');
}

const HUES = 6;

/** A steady hue of the palette, 0 to 5, by name. */
function hueOf(text: string): number {
  return Array.from(text).reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9_973, 7) % HUES;
}
