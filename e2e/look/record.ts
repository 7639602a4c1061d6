import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Walked } from './walk.ts'

/** One state of one page as one role. */
export interface Entry extends Walked {
  page: string
  title: string
  state: string | undefined
  role: string
  /** Messages of the browser console. */
  complaints: string[]
  /** Why it did not open. */
  failed?: unknown
}

/** Stored beside the screenshots. */
interface Kept extends Omit<Entry, 'screens' | 'failed'> {
  name: string
  failed: string | undefined
  screens: { look: string; file: string; faults: [kind: string, places: string[]][] }[]
}

/** Writes the screenshots and findings to the folder. */
export function write(folder: string, { screens, failed, ...entry }: Entry): void {
  mkdirSync(folder, { recursive: true })
  const name = [entry.page, entry.state, entry.role].filter(Boolean).join(' · ').replaceAll(/[/:]/g, ' ')
  const kept: Kept = {
    ...entry,
    name,
    failed: failed === undefined ? undefined : String(failed).split('\n', 3).join(' '),
    screens: screens.map(({ look, axe, sight, picture }) => {
      const file = `${name} · ${look}.png`
      if (picture) writeFileSync(join(folder, file), picture)
      const faults: Kept['screens'][number]['faults'] = [
        ['axe', axe],
        ['обрезан текст', sight.cut],
        ['закрыто или за краем', sight.covered],
        ['шире окна', sight.sideways > 0 ? [`${sight.sideways} px`] : []],
        ['фокус потерян', sight.focusLost ? ['диалог открыт, фокус на странице'] : []],
      ]
      return { look, file, faults: faults.filter(([, places]) => places.length > 0) }
    }),
  }
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(kept))
}

/** Combines the folder into one HTML page with a table and the screenshots; returns the table's lines. */
export function contactSheet(folder: string): string[] {
  const all = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Kept)
  const lines = all.map(({ name, failed, opening, shift, screens, complaints, focusFell }) => {
    const kinds = new Map<string, number>()
    for (const [kind, places] of screens.flatMap(({ faults }) => faults))
      kinds.set(kind, Math.max(kinds.get(kind) ?? 0, places.length))
    if (shift.sum > 0) kinds.set('сдвиги', shift.sum)
    if (complaints.length) kinds.set('консоль', complaints.length)
    if (focusFell) kinds.set('фокус упал по Esc', 1)
    const outcome = failed ? `НЕ ОТКРЫЛОСЬ ${failed}` : [...kinds].map(([kind, count]) => `${kind} ${count}`).join(', ')
    return `${name.padEnd(52)} запросов ${String(opening.calls).padStart(2)} в ${opening.steps}  ${outcome || '—'}`
  })
  writeFileSync(join(folder, 'index.html'), html(all, lines))
  return lines
}

const html = (all: Kept[], lines: string[]): string => `<!doctype html>
<html lang="ru"><meta charset="utf-8"><title>Осмотр</title>
<style>
  body { font: 14px/20px system-ui, sans-serif; margin: 16px; background: #eee; color: #111 }
  section > div { display: flex; flex-wrap: wrap; gap: 12px; align-items: flex-start }
  figure { margin: 0; background: #fff; padding: 8px; max-width: 560px }
  img { max-height: 320px; max-width: 100%; border: 1px solid #ccc }
</style>
<h1>Осмотр</h1><pre>${escaped(lines.join('\n'))}</pre>
${all.map(section).join('\n')}</html>`

const section = ({ name, title, screens, complaints }: Kept): string => `<section>
<h2>${escaped(name)} — ${escaped(title)}</h2>${complaints.map((line) => `<pre>${escaped(line)}</pre>`).join('')}<div>
${screens
  .map(
    ({ look, file, faults }) =>
      `<figure><a href="${encodeURIComponent(file)}"><img loading="lazy" alt="" src="${encodeURIComponent(file)}"></a>
<figcaption>${look}${faults
        .map(
          ([kind, places]) =>
            `<details><summary>${kind}: ${places.length}</summary><pre>${escaped(places.join('\n'))}</pre></details>`,
        )
        .join('')}</figcaption></figure>`,
  )
  .join('\n')}</div></section>`

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
