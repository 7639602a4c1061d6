import { Button, TextInput } from '@mantine/core'
import { Tag } from '@ordinator/model/areas/tasks/task'
import { IconCheck, IconPlus } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { palette } from '../../kit/color.ts'
import { IconPicker } from '../../kit/IconPicker.tsx'
import { NamedIcon } from '../../kit/NamedIcon.tsx'
import { useList } from '../../records/reads.ts'
import { ColorRow } from './ColorRow.tsx'
import type { CardTag } from './cards.ts'
import { walkOptions } from './PeoplePicker.tsx'
import classes from './pickers.module.css'

const MAX_NAME = 64

interface Props {
  idBoard: number
  tags: readonly CardTag[]
  onToggle: (tag: BoardTag) => void
}

export type BoardTag = Pick<CardTag, 'name' | 'color' | 'icon'>

/** Tags known on the workspace, each name once, with the colour and the icon it was last given. */
export function useBoardTags(idBoard: number, enabled = true): BoardTag[] {
  const list = useList(
    Tag,
    { filter: { 'task.assigned.column.idBoard': idBoard }, sort: '-id', limit: 500, fields: ['name', 'color', 'icon'] },
    { enabled, forbidden: 'silent' },
  )
  return useMemo(() => {
    const byName = new Map<string, BoardTag>()
    for (const { name, color, icon } of list.data?.items ?? [])
      if (!byName.has(name.toLowerCase())) byName.set(name.toLowerCase(), { name, color, icon })
    return [...byName.values()].sort((a, b) => a.name.localeCompare(b.name, 'ru'))
  }, [list.data])
}

export function TagPicker({ idBoard, tags, onToggle }: Props) {
  const known = useBoardTags(idBoard)
  const [text, setText] = useState('')
  const [color, setColor] = useState<string>()
  const [icon, setIcon] = useState<string>()
  const sought = text.trim().toLowerCase()
  const own = tags.filter((tag) => !known.some((k) => k.name.toLowerCase() === tag.name.toLowerCase()))
  const all = [...own, ...known]
  const found = all.filter((tag) => tag.name.toLowerCase().includes(sought))
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
      <div className={classes.search}>
        <TextInput
          size="sm"
          aria-label="Метка: поиск или новая"
          placeholder="Найти или создать метку"
          maxLength={MAX_NAME}
          data-autofocus
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            if (isNew) create()
            else if (found[0] && sought) onToggle(found[0])
          }}
        />
      </div>
      <section className={classes.list} aria-label="Метки">
        {found.map((tag) => {
          const on = tags.some((t) => t.name.toLowerCase() === tag.name.toLowerCase())
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
      </section>
      {isNew && (
        <div className={classes.new}>
          <ColorRow value={newColor} onChange={setColor} label="Цвет новой метки" />
          <div className={classes.newIcon}>
            <IconPicker label="Значок" value={icon} onChange={setIcon} color={newColor} />
          </div>
          <div style={{ padding: '0 8px 8px' }}>
            <Button fullWidth size="compact-md" variant="light" leftSection={<IconPlus size={14} />} onClick={create}>
              Создать «{text.trim()}»
            </Button>
          </div>
        </div>
      )}
    </div>
  )
}
