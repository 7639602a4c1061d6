import { Input, Popover, TextInput, UnstyledButton } from '@mantine/core'
import { iconLabels, isIconName } from '@ordinator/model/icons'
import { useId, useState } from 'react'
import { NamedIcon } from './NamedIcon.tsx'
import classes from './Pickers.module.css'

interface Props {
  label: string
  value: string | null | undefined
  onChange: (name: string) => void
  color?: string
  disabled?: boolean
}

/** Chooses one of our icons. */
export function IconPicker({ label, value, onChange, color, disabled }: Props) {
  const [opened, setOpened] = useState(false)
  const [text, setText] = useState('')
  const id = useId()
  const chosen = isIconName(value) ? iconLabels[value] : 'Не выбрана'
  const asked = text.trim().toLowerCase()
  const shown = Object.entries(iconLabels).filter(([, title]) => title.toLowerCase().includes(asked))
  return (
    <Input.Wrapper label={label} labelElement="div" id={id}>
      <Popover opened={opened} onChange={setOpened} trapFocus returnFocus position="bottom-start" width={284}>
        <Popover.Target>
          <UnstyledButton
            className={classes.target}
            disabled={disabled}
            aria-label={`${label}: ${chosen}`}
            onClick={() => setOpened(!opened)}
          >
            <NamedIcon name={value} color={color} />
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown>
          <TextInput
            placeholder="Найти"
            aria-label="Найти иконку"
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            data-autofocus
          />
          <fieldset className={classes.grid} aria-label={label}>
            {shown.map(([name, title]) => (
              <UnstyledButton
                key={name}
                className={classes.cell}
                aria-label={title}
                aria-pressed={name === value}
                title={title}
                onClick={() => {
                  onChange(name)
                  setOpened(false)
                }}
              >
                <NamedIcon name={name} />
              </UnstyledButton>
            ))}
          </fieldset>
          {shown.length === 0 && <div className={classes.none}>Совпадений не найдено</div>}
        </Popover.Dropdown>
      </Popover>
    </Input.Wrapper>
  )
}
