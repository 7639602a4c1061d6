import { otherLayouts } from '@ordinator/model/keyboardLayout'
import { wordStem } from '@ordinator/model/spelling'
import type { Command } from '#base/commands.ts'

/**
 * Commands matching the text, best first, with groups kept together. Text typed in the wrong keyboard layout ('pflfxb'
 * for 'задачи') is understood.
 */
export function rankCommands(list: readonly Command[], text: string): Command[] {
  const asked = plain(text)
  if (!asked) return [...list]
  const variants = [asked, ...otherLayouts(asked).map(plain)]
  const scored = list
    .map((command) => ({
      command,
      score: Math.max(...variants.map((variant, at) => score(command, variant) - at * 0.5)),
    }))
    .filter(({ score }) => score > 0)
  const best = new Map<string, number>()
  for (const { command, score } of scored)
    best.set(command.group ?? '', Math.max(score, best.get(command.group ?? '') ?? 0))
  const ofGroup = (command: Command) => best.get(command.group ?? '') as number
  const place = [...best.keys()]
  return scored
    .sort(
      (a, b) =>
        ofGroup(b.command) - ofGroup(a.command) ||
        place.indexOf(a.command.group ?? '') - place.indexOf(b.command.group ?? '') ||
        b.score - a.score,
    )
    .map(({ command }) => command)
}

/** True when every typed word is the beginning of a word of the command's name or names, ignoring endings. */
export const isNamed = (command: Command, text: string): boolean => {
  const asked = plain(text)
  return [asked, ...otherLayouts(asked).map(plain)].some((variant) => names(command, variant))
}

function names({ label, names = '' }: Command, asked: string): boolean {
  const all = ` ${plain(`${label} ${names}`)}`
  return asked !== '' && asked.split(' ').every((word) => all.includes(` ${wordStem(word)}`))
}

function score(command: Command, asked: string): number {
  const label = plain(command.label)
  // An exact name comes before a prefix: «чек» is a receipt, then a check list.
  if (label === asked || ` ${plain(command.names ?? '')} `.includes(` ${asked} `)) return 5
  if (label.startsWith(asked)) return 4
  if (label.includes(` ${asked}`)) return 3
  if (label.includes(asked)) return 2
  if (names(command, asked)) return 3
  const everywhere = `${label} ${plain(command.words ?? '')} ${plain(command.hint ?? '')}`
  return asked.split(' ').every((word) => everywhere.includes(word)) ? 1 : 0
}

function plain(text: string): string {
  return text.trim().toLowerCase().replaceAll('ё', 'е').replace(/\s+/g, ' ')
}
