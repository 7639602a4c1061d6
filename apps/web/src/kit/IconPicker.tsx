import { Input, TextInput, UnstyledButton } from '@mantine/core'
import { iconLabels, isIconName } from '@ordinator/model/icons'
import { useId, useState } from 'react'
import { matching } from './byMatch.ts'
import { NamedIcon } from './NamedIcon.tsx'
import classes from './Pickers.module.css'
import { Popover } from './Popover.tsx'

interface Props {
  label: string
  value: string | null | undefined
  onChange: (name: string) => void
  color?: string
  disabled?: boolean
}

/** Selects one of the built-in icons. */
export function IconPicker({ label, value, onChange, color, disabled }: Props) {
  const [opened, setOpened] = useState(false)
  const [text, setText] = useState('')
  const id = useId()
  const chosen = isIconName(value) ? iconLabels[value] : 'Не выбрана'
  const shown = matching(Object.entries(iconLabels), text, ([, title]) => title)
  const choose = (name: string) => {
    onChange(name)
    setOpened(false)
  }
  return (
    <Input.Wrapper label={label} labelElement="div" id={id}>
      <Popover opened={opened} onChange={setOpened} position="bottom-start" width={284}>
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
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              event.preventDefault()
              if (text.trim() && shown[0]) choose(shown[0][0])
            }}
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
                onClick={() => choose(name)}
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
