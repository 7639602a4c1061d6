import { Input, TextInput, UnstyledButton } from '@mantine/core'
import { palette } from '@ordinator/model/palette'
import { IconCheck } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { colorName, contrastColor, parseColor } from './color.ts'
import classes from './Pickers.module.css'
import { Popover } from './Popover.tsx'

interface Props {
  label: string
  /** '#rrggbb' */
  value: string | null | undefined
  onChange: (color: string) => void
  error?: string
  disabled?: boolean
}

/** Selects a colour: named swatches, or a code. */
export function ColorField({ label, value, onChange, error, disabled }: Props) {
  const [opened, setOpened] = useState(false)
  const [text, setText] = useState<string>()
  const id = useId()
  const wrong = text !== undefined && text !== '' && !parseColor(text)
  return (
    <Input.Wrapper label={label} labelElement="div" id={id} error={error}>
      <Popover opened={opened} onChange={setOpened} position="bottom-start" width={284}>
        <Popover.Target>
          <UnstyledButton
            className={classes.target}
            disabled={disabled}
            aria-label={`${label}: ${value ? colorName(value) : 'не выбран'}`}
            onClick={() => setOpened(!opened)}
          >
            <span className={classes.swatch} style={{ background: value ?? 'transparent' }} />
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown>
          <fieldset className={classes.grid} aria-label={label}>
            {palette.map((color) => (
              <UnstyledButton
                key={color.value}
                className={classes.cell}
                aria-label={color.name}
                aria-pressed={color.value === value}
                title={color.name}
                onClick={() => {
                  onChange(color.value)
                  setText(undefined)
                  setOpened(false)
                }}
              >
                <span className={classes.swatch} style={{ background: color.value, color: contrastColor(color.value) }}>
                  {color.value === value && <IconCheck size={14} aria-hidden />}
                </span>
              </UnstyledButton>
            ))}
          </fieldset>
          <TextInput
            mt="xs"
            label="Код цвета"
            placeholder="#0b7a70"
            value={text ?? value ?? ''}
            error={wrong ? 'Код вида #0b7a70' : undefined}
            spellCheck={false}
            onChange={(event) => {
              const written = event.currentTarget.value
              setText(written)
              const color = parseColor(written)
              if (color && written.length >= 6) onChange(color)
            }}
            onBlur={() => {
              const color = parseColor(text ?? '')
              if (color) onChange(color)
              if (!wrong) setText(undefined)
            }}
          />
        </Popover.Dropdown>
      </Popover>
    </Input.Wrapper>
  )
}
