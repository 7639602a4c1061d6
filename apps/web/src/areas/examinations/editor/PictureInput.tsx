import { Input, TextInput } from '@mantine/core'
import {
  type FormField,
  isOwnPicture,
  MAX_MARKS,
  type PictureMark,
  type PictureName,
  pictures,
} from '@ordinator/model/areas/examinations/form'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useId } from 'react'
import { ActionButton } from '../../../kit/ActionButton.tsx'
import { IconButton } from '../../../kit/IconButton.tsx'
import { HStack, VStack } from '../../../kit/Stacks.tsx'
import { Muted } from '../../../kit/Words.tsx'
import { ownPictureUrl } from '../ownPicture.ts'
import classes from './Editor.module.css'
import type { FieldProps } from './fieldProps.ts'

/** Marks with words on a picture: by a press on it; the arrows move the mark whose words one is in. */
export function PictureField({ field, value, set, frame }: FieldProps) {
  const id = useId()
  const marks = Array.isArray(value) ? (value as PictureMark[]) : []
  const write = (next: PictureMark[]) => set(next.length ? next : null)
  const change = (at: number, patch: Partial<PictureMark>) =>
    write(marks.map((mark, other) => (other === at ? { ...mark, ...patch } : mark)))
  const add = (x: number, y: number) => marks.length < MAX_MARKS && write([...marks, { x, y, text: '' }])
  const { readOnly } = frame
  return (
    <Input.Wrapper {...frame} labelElement="div" labelProps={{ id }}>
      <section className={classes.picture} aria-labelledby={id}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: «Поставить метку» beside does the same by keys */}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above */}
        <div
          className={classes.canvas}
          data-still={readOnly || undefined}
          onClick={(event) => {
            if (readOnly) return
            const box = event.currentTarget.getBoundingClientRect()
            const percent = (part: number, whole: number) => Math.round((1000 * part) / whole) / 10
            add(percent(event.clientX - box.left, box.width), percent(event.clientY - box.top, box.height))
          }}
        >
          <MarkedPicture field={field} marks={marks} />
        </div>
        <VStack gap={6}>
          {marks.length === 0 && <Muted>{readOnly ? 'Меток нет' : 'Нажмите на рисунок, чтобы поставить метку'}</Muted>}
          {marks.map((mark, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <HStack key={at} gap={6}>
              <span className="tabular">{at + 1}.</span>
              <TextInput
                flex={1}
                aria-label={`Метка ${at + 1}`}
                value={mark.text}
                readOnly={readOnly}
                maxLength={200}
                onChange={(event) => change(at, { text: event.currentTarget.value })}
                onKeyDown={(event) => {
                  const step = steps[event.key]
                  if (!step || !event.altKey || readOnly) return
                  event.preventDefault()
                  change(at, { x: within(mark.x + step[0]), y: within(mark.y + step[1]) })
                }}
              />
              {!readOnly && (
                <IconButton
                  icon={IconTrash}
                  label={`Убрать метку ${at + 1}`}
                  onClick={() => write(marks.filter((_, other) => other !== at))}
                />
              )}
            </HStack>
          ))}
          {!readOnly && (
            <HStack>
              <ActionButton
                label="Поставить метку"
                size="compact-sm"
                variant="default"
                icon={IconPlus}
                disabled={marks.length >= MAX_MARKS}
                title="Метку двигают стрелками с Alt, стоя в её подписи"
                onClick={() => add(50, 50)}
              />
            </HStack>
          )}
        </VStack>
      </section>
    </Input.Wrapper>
  )
}

/** The picture of a field with the numbers of its marks, within what holds it. */
export function MarkedPicture({ field, marks }: { field: FormField; marks: readonly PictureMark[] }) {
  const picture = field.picture ?? 'body'
  return (
    <>
      {isOwnPicture(picture) ? (
        <img src={ownPictureUrl(picture)} alt={field.label} draggable={false} />
      ) : (
        <svg viewBox="0 0 100 120" role="img" aria-label={pictures[picture as PictureName]}>
          {outlines[picture as PictureName]}
        </svg>
      )}
      {marks.map(({ x, y }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a mark is known by its number
        <span key={at} className={classes.mark} style={{ left: `${x}%`, top: `${y}%` }} aria-hidden>
          {at + 1}
        </span>
      ))}
    </>
  )
}

const steps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-2, 0],
  ArrowRight: [2, 0],
  ArrowUp: [0, -2],
  ArrowDown: [0, 2],
}
const within = (percent: number): number => Math.min(100, Math.max(0, percent))

const figure = (shift: number, back: boolean) => (
  <g transform={`translate(${shift} 0)`}>
    <circle cx="25" cy="13" r="8" />
    <path d="M22 21v4h6v-4M22 25c-7 1-10 3-10 8l-3 26 4 1 4-22v20l-2 22-1 32h8l2-30 1-6 1 6 2 30h8l-1-32-2-22V38l4 22 4-1-3-26c0-5-3-7-10-8" />
    {back ? <path d="M25 28v28" /> : <path d="M21 36h3M26 36h3M25 52v2" />}
  </g>
)

/** Outlines that marks are put on, in a frame of 100 by 120. */
const outlines: Record<PictureName, ReactNode> = {
  body: (
    <>
      {figure(0, false)}
      {figure(50, true)}
    </>
  ),
  face: (
    <path d="M50 8c-22 0-32 18-31 40 1 30 14 62 31 62s30-32 31-62c1-22-9-40-31-40ZM30 46c4-4 10-4 14 0-4 4-10 4-14 0ZM56 46c4-4 10-4 14 0-4 4-10 4-14 0ZM50 48v20c-4 2-5 4 0 5 5-1 4-3 0-5M38 86c8 6 16 6 24 0-8-3-16-3-24 0Z" />
  ),
  eye: (
    <>
      <circle cx="50" cy="60" r="46" />
      <circle cx="34" cy="60" r="8" />
      <circle cx="62" cy="62" r="4" />
      <path d="M34 60c4-14 12-26 30-32M34 60c4 14 12 26 30 32M34 60c-6-12-12-20-22-24M34 60c-6 12-12 20-22 24" />
    </>
  ),
  breast: (
    <>
      <circle cx="28" cy="62" r="22" />
      <circle cx="72" cy="62" r="22" />
      <circle cx="28" cy="62" r="5" />
      <circle cx="72" cy="62" r="5" />
      <path d="M28 40v-6M28 84v6M6 62H0M72 40v-6M72 84v6M94 62h6" />
    </>
  ),
}
