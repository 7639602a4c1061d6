import { Checkbox, Input, Menu, VisuallyHidden } from '@mantine/core'
import { useRovingIndex } from '@mantine/hooks'
import { isObject } from '@ordinator/model/areas/examinations/form'
import { jaws, milkJaws, type ToothState, toothSigns, toothStates } from '@ordinator/model/areas/examinations/teeth'
import { type ComponentProps, useId, useState } from 'react'
import { MenuItem } from '#kit/ActionMenu.tsx'
import classes from './Editor.module.css'
import type { FieldProps } from './fieldProps.ts'

/** Teeth of an adult jaw. */
const WHOLE = 16

/**
 * Chart of teeth: a click on a tooth sets its state. One Tab stop, with arrow keys in visual order. Milk teeth are
 * shown on demand.
 */
export function TeethField({ value, set, frame }: FieldProps) {
  const id = useId()
  const teeth = isObject(value) ? (value as Record<string, ToothState>) : {}
  const [asked, setAsked] = useState(false)
  const hasMilk = milkJaws.flat().some((tooth) => teeth[tooth])
  const rows = [...jaws, ...(asked || hasMilk ? milkJaws : [])]
  // Shorter rows are centred.
  const places = rows.flatMap((jaw) => {
    const beside = Array<undefined>((WHOLE - jaw.length) / 2).fill(undefined)
    return [...beside, ...jaw, ...beside]
  })
  const walk = useRovingIndex({
    total: places.length,
    columns: WHOLE,
    isItemDisabled: (index) => places[index] === undefined,
  })
  const put = (tooth: string, state: ToothState | undefined) => {
    const { [tooth]: _, ...rest } = teeth
    const next = state ? { ...rest, [tooth]: state } : rest
    set(Object.keys(next).length ? next : null)
  }
  return (
    <Input.Wrapper {...frame} labelElement="div" labelProps={{ id }}>
      <section className={classes.teeth} aria-labelledby={id} tabIndex={frame.readOnly ? 0 : undefined}>
        {rows.map((jaw, at) => (
          <div
            key={jaw[0]}
            className={classes.jaw}
            data-milk={jaw.length < WHOLE || undefined}
            style={{ marginTop: at ? 6 : 4 }}
          >
            {jaw.map((tooth) => (
              <Tooth
                key={tooth}
                tooth={tooth}
                state={teeth[tooth]}
                readOnly={frame.readOnly}
                onPut={put}
                button={walk.getItemProps({ index: places.indexOf(tooth) })}
              />
            ))}
          </div>
        ))}
      </section>
      {!frame.readOnly && !hasMilk && (
        <Checkbox
          mt={6}
          size="xs"
          label="Молочные зубы"
          checked={asked}
          onChange={(event) => setAsked(event.currentTarget.checked)}
        />
      )}
    </Input.Wrapper>
  )
}

interface ToothProps {
  tooth: string
  state: ToothState | undefined
  readOnly?: boolean
  onPut: (tooth: string, state: ToothState | undefined) => void
  /** Props for arrow key navigation. */
  button: ComponentProps<'button'>
}

function Tooth({ tooth, state, readOnly, onPut, button }: ToothProps) {
  const face = (
    <button {...button} type="button" className={classes.tooth} data-state={state} disabled={readOnly}>
      <b aria-hidden>{state ? toothSigns[state] || '✓' : ''}</b>
      <span>{tooth}</span>
      <VisuallyHidden>{state ? toothStates[state].toLowerCase() : 'не отмечен'}</VisuallyHidden>
    </button>
  )
  if (readOnly) return face
  return (
    <Menu position="bottom" width={200}>
      <Menu.Target>{face}</Menu.Target>
      <Menu.Dropdown>
        {(Object.keys(toothStates) as ToothState[]).map((one) => (
          <MenuItem
            key={one}
            label={`${toothStates[one]}${toothSigns[one] ? ` (${toothSigns[one]})` : ''}`}
            onClick={() => onPut(tooth, one)}
          />
        ))}
        {state && <MenuItem label="Снять отметку" danger onClick={() => onPut(tooth, undefined)} />}
      </Menu.Dropdown>
    </Menu>
  )
}
