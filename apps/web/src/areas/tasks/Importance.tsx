import { Text } from '@mantine/core'
import type { KeyboardEvent, PointerEvent } from 'react'
import { HStack } from '#kit/Stacks.tsx'
import classes from './Importance.module.css'
import { importanceColor, importanceWord, MAX_IMPORTANCE, MIN_IMPORTANCE } from './importance.ts'

interface Props {
  value: number
  onChange: (value: number) => void
  readOnly?: boolean
}

const steps = Array.from({ length: MAX_IMPORTANCE }, (_, i) => i + 1)

/** Importance as ten segments, green to red: by click, drag, arrows, or digit (0 is ten). */
export function Importance({ value, onChange, readOnly }: Props) {
  const set = (next: number) => {
    const wanted = Math.min(MAX_IMPORTANCE, Math.max(MIN_IMPORTANCE, next))
    if (!readOnly && wanted !== value) onChange(wanted)
  }
  const point = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    set(Math.ceil(((event.clientX - box.left) / box.width) * MAX_IMPORTANCE))
  }
  const press = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key]
    const digit = /^\d$/.test(event.key) ? Number(event.key) || MAX_IMPORTANCE : undefined
    if (by === undefined && digit === undefined && event.key !== 'Home' && event.key !== 'End') return
    event.preventDefault()
    set(digit ?? (by === undefined ? (event.key === 'Home' ? MIN_IMPORTANCE : MAX_IMPORTANCE) : value + by))
  }
  const color = importanceColor(value)
  return (
    <HStack gap={10}>
      <div
        className={classes.slider}
        role="slider"
        tabIndex={0}
        aria-label="Важность"
        aria-valuemin={MIN_IMPORTANCE}
        aria-valuemax={MAX_IMPORTANCE}
        aria-valuenow={value}
        aria-valuetext={`${value} из ${MAX_IMPORTANCE}, ${importanceWord(value)}`}
        aria-disabled={readOnly || undefined}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          point(event)
        }}
        onPointerMove={(event) => event.buttons === 1 && point(event)}
        onKeyDown={press}
      >
        {steps.map((step) => (
          <span key={step} className={classes.segment} style={step <= value ? { background: color } : undefined} />
        ))}
      </div>
      <Text span inherit fw={600} ta="right" miw={20} className="tabular">
        {value}
      </Text>
    </HStack>
  )
}
