import type { PictureName } from './form.ts'

/** Size of the outlines' frame, and line width. */
export const OUTLINE = { width: 100, height: 120, line: 0.6 } as const

/** A part of an outline: a circle or an SVG path; `shift` moves it to the right. */
export type OutlinePart = ({ d: string } | { cx: number; cy: number; r: number }) & { shift?: number }

const figure = (shift: number, back: boolean): OutlinePart[] => [
  { cx: 25, cy: 13, r: 8, shift },
  {
    d: 'M22 21v4h6v-4M22 25c-7 1-10 3-10 8l-3 26 4 1 4-22v20l-2 22-1 32h8l2-30 1-6 1 6 2 30h8l-1-32-2-22V38l4 22 4-1-3-26c0-5-3-7-10-8',
    shift,
  },
  { d: back ? 'M25 28v28' : 'M21 36h3M26 36h3M25 52v2', shift },
]

/** Outlines for marks, on the screen and on paper. */
export const outlines: Record<PictureName, readonly OutlinePart[]> = {
  body: [...figure(0, false), ...figure(50, true)],
  face: [
    {
      d: 'M50 8c-22 0-32 18-31 40 1 30 14 62 31 62s30-32 31-62c1-22-9-40-31-40ZM30 46c4-4 10-4 14 0-4 4-10 4-14 0ZM56 46c4-4 10-4 14 0-4 4-10 4-14 0ZM50 48v20c-4 2-5 4 0 5 5-1 4-3 0-5M38 86c8 6 16 6 24 0-8-3-16-3-24 0Z',
    },
  ],
  eye: [
    { cx: 50, cy: 60, r: 46 },
    { cx: 34, cy: 60, r: 8 },
    { cx: 62, cy: 62, r: 4 },
    {
      d: 'M34 60c4-14 12-26 30-32M34 60c4 14 12 26 30 32M34 60c-6-12-12-20-22-24M34 60c-6 12-12 20-22 24',
    },
  ],
  breast: [
    { cx: 28, cy: 62, r: 22 },
    { cx: 72, cy: 62, r: 22 },
    { cx: 28, cy: 62, r: 5 },
    { cx: 72, cy: 62, r: 5 },
    { d: 'M28 40v-6M28 84v6M6 62H0M72 40v-6M72 84v6M94 62h6' },
  ],
}
