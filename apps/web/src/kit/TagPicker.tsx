import { palette } from '@ordinator/model/palette'
import { IconCheck, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { ActionButton } from './ActionButton.tsx'
import { matching } from './byMatch.ts'
import { ColorRow } from './ColorRow.tsx'
import { IconPicker } from './IconPicker.tsx'
import { isNamed } from './isNamed.ts'
import { NamedIcon } from './NamedIcon.tsx'
import { OptionSearch } from './OptionSearch.tsx'
import classes from './optionList.module.css'
import { walkOptions } from './walkOptions.ts'

const MAX_NAME = 64

export interface NamedTag {
  name: string
  color: string
  icon: string | null
}

interface Props {
  /** Existing tags to choose from. */
  known: readonly NamedTag[]
  tags: readonly NamedTag[]
  onToggle: (tag: NamedTag) => void
}

/** A picker of tags; typing a new name creates one. */
export function TagPicker({ known, tags, onToggle }: Props) {
  const [text, setText] = useState('')
  const [color, setColor] = useState<string>()
  const [icon, setIcon] = useState<string>()
  const sought = text.trim().toLowerCase()
  const own = tags.filter((tag) => !known.some(isNamed(tag.name)))
  const all = [...own, ...known]
  const found = matching(all, text, ({ name }) => name)
  const isNew = sought !== '' && !all.some((tag) => tag.name.toLowerCase() === sought)
  const newColor = color ?? palette[all.length % palette.length]?.value ?? '#546060'
  const create = () => {
    onToggle({ name: text.trim(), color: newColor, icon: icon ?? null })
    setText('')
    setColor(undefined)
    setIcon(undefined)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrows between the real controls inside
    <div onKeyDown={walkOptions}>
      <OptionSearch
        label="Метка: поиск или новая"
        placeholder="Найти или создать метку"
        maxLength={MAX_NAME}
        value={text}
        onChange={setText}
        onEnter={() => {
          if (!found[0]) return create()
          onToggle(found[0])
          setText('')
        }}
      />
      <fieldset className={classes.list} aria-label="Метки">
        {found.map((tag) => {
          const on = tags.some(isNamed(tag.name))
          return (
            // biome-ignore lint/a11y/useSemanticElements: a row with a colour, not a native box
            <button
              key={tag.name}
              type="button"
              role="checkbox"
              aria-checked={on}
              className={classes.option}
              onClick={() => onToggle(tag)}
            >
              {tag.icon ? (
                <NamedIcon name={tag.icon} size={16} color={tag.color} />
              ) : (
                <span className={classes.dot} style={{ background: tag.color }} />
              )}
              <span className={classes.text}>{tag.name}</span>
              {on && <IconCheck size={16} className={classes.check} aria-hidden />}
            </button>
          )
        })}
        {found.length === 0 && !isNew && <div className={classes.none}>Меток пока нет — введите название новой</div>}
      </fieldset>
      {isNew && (
        <div className={classes.new}>
          <ColorRow value={newColor} onChange={setColor} label="Цвет новой метки" />
          <div className={classes.newIcon}>
            <IconPicker label="Значок" value={icon} onChange={setIcon} color={newColor} />
          </div>
          <div style={{ padding: '0 8px 8px' }}>
            <ActionButton
              label={`Создать «${text.trim()}»`}
              fullWidth
              size="compact-md"
              variant="light"
              icon={IconPlus}
              onClick={create}
            />
          </div>
        </div>
      )}
    </div>
  )
}

/** Each name once, with its first colour and icon. */
export function distinctTags(tags: readonly NamedTag[]): NamedTag[] {
  const byName = new Map<string, NamedTag>()
  for (const { name, color, icon } of tags)
    if (!byName.has(name.toLowerCase())) byName.set(name.toLowerCase(), { name, color, icon })
  return [...byName.values()].sort((a, b) => a.name.localeCompare(b.name, 'ru'))
}
