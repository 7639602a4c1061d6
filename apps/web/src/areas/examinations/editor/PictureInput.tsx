import { Input, TextInput } from '@mantine/core'
import {
  type FormField,
  isOwnPicture,
  MAX_MARKS,
  type PictureMark,
  type PictureName,
  pictures,
} from '@ordinator/model/areas/examinations/form'
import { OUTLINE, outlines } from '@ordinator/model/areas/examinations/outlines'
import { IconTrash } from '@tabler/icons-react'
import { useId } from 'react'
import { AddLine, addAndFocus } from '#kit/AddLine.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { ownPictureUrl } from '../ownPicture.ts'
import classes from './Editor.module.css'
import type { FieldProps } from './fieldProps.ts'

/** Labelled marks on a picture: added by a click; the arrows move the mark of the focused label. */
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
            const [x, y] = [percent(event.clientX - box.left, box.width), percent(event.clientY - box.top, box.height)]
            addAndFocus(event.currentTarget, () => add(x, y))
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
              <AddLine
                label="Поставить метку"
                disabled={marks.length >= MAX_MARKS}
                title="Метку двигают стрелками с Alt, стоя в её подписи"
                onAdd={() => add(50, 50)}
              />
            </HStack>
          )}
        </VStack>
      </section>
    </Input.Wrapper>
  )
}

/** Picture of a field with numbered marks, scaled to its container. */
export function MarkedPicture({ field, marks }: { field: FormField; marks: readonly PictureMark[] }) {
  const picture = field.picture ?? 'body'
  return (
    <>
      {isOwnPicture(picture) ? (
        <img src={ownPictureUrl(picture)} alt={field.label} draggable={false} />
      ) : (
        <svg
          viewBox={`0 0 ${OUTLINE.width} ${OUTLINE.height}`}
          role="img"
          aria-label={pictures[picture as PictureName]}
        >
          {outlines[picture as PictureName].map(({ shift = 0, ...part }, at) => {
            const transform = `translate(${shift} 0)`
            const key = `${picture} ${at}`
            return 'd' in part ? (
              <path key={key} d={part.d} transform={transform} />
            ) : (
              <circle key={key} {...part} transform={transform} />
            )
          })}
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
