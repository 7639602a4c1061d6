/** Importance runs from 1 to 10, its colour from green to red (spec §9). */

export const MIN_IMPORTANCE = 1
export const MAX_IMPORTANCE = 10

const GREEN = 135
const RED = 0

export function importanceColor(importance: number): string {
  const part = (clamped(importance) - MIN_IMPORTANCE) / (MAX_IMPORTANCE - MIN_IMPORTANCE)
  const hue = Math.round(GREEN + (RED - GREEN) * part)
  return `hsl(${hue} 62% 42%)`
}

const clamped = (importance: number) => Math.min(MAX_IMPORTANCE, Math.max(MIN_IMPORTANCE, importance))

export const importanceWord = (importance: number): string =>
  importance <= 2 ? 'низкая' : importance <= 5 ? 'обычная' : importance <= 8 ? 'высокая' : 'критическая'
