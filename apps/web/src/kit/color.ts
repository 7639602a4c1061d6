import { palette } from '@ordinator/model/palette'

/** Normalises '#ABC', 'aabbcc' to lower-case '#rrggbb'; else null. */
export function parseColor(text: string): string | null {
  const match = /^#?([\da-f]{3}|[\da-f]{6})$/i.exec(text.trim())
  if (!match) return null
  const hex = (match[1] as string).toLowerCase()
  return `#${hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex}`
}

/** 'Синий', or the code of a colour outside the palette. */
export function colorName(value: string): string {
  return palette.find((color) => color.value === value.toLowerCase())?.name ?? value
}

/** Black or white, whichever has more contrast on the colour. */
export function contrastColor(color: string): '#000000' | '#ffffff' {
  const hex = parseColor(color) ?? '#000000'
  const [r, g, b] = [1, 3, 5].map((at) => channel(Number.parseInt(hex.slice(at, at + 2), 16))) as [
    number,
    number,
    number,
  ]
  const light = 0.2126 * r + 0.7152 * g + 0.0722 * b
  return (light + 0.05) / 0.05 > 1.05 / (light + 0.05) ? '#000000' : '#ffffff'
}

function channel(value: number): number {
  const share = value / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}
