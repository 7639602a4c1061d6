import { useMantineColorScheme } from '@mantine/core'
import { type Page, pageAllowed, pages } from '@ordinator/model/pages'
import { IconSearch } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useId, useMemo, useState } from 'react'
import { type Command, commands } from '../base/commands.ts'
import { session, useActor } from '../base/session.ts'
import { Dialog } from '../kit/Dialog.tsx'
import { Keys } from '../kit/Keys.tsx'
import classes from './Palette.module.css'
import { rankCommands } from './rankCommands.ts'

const SEARCH_FROM = 2
const SEARCH_DELAY_MS = 300

interface Props {
  opened: boolean
  onClose: () => void
  onKeys: () => void
}

/** Search and commands (Ctrl+K): pages, the commands of the open screen, records of the areas that search. */
export default function Palette({ opened, onClose, onKeys }: Props) {
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      closeOnClickOutside
      withCloseButton={false}
      padding={0}
      size={600}
      yOffset="12dvh"
      centered={false}
      attributes={{ content: { 'aria-label': 'Поиск и команды' } }}
      transitionProps={{ duration: 100 }}
    >
      <PaletteBody onClose={onClose} onKeys={onKeys} />
    </Dialog>
  )
}

function PaletteBody({ onClose, onKeys }: Omit<Props, 'opened'>) {
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  const known = useKnownCommands(onKeys)
  const found = useRecordSearch(text)
  const shown = useMemo(() => [...rankCommands(known, text), ...found], [known, text, found])
  const listId = useId()
  const at = Math.min(active, shown.length - 1)

  const run = (command: Command | undefined) => {
    if (!command) return
    onClose()
    command.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && shown.length) setActive((at + step + shown.length) % shown.length)
    else if (event.key === 'Home' && !text) setActive(0)
    else if (event.key === 'End' && !text) setActive(shown.length - 1)
    else if (event.key === 'Enter') run(shown[at])
    else return
    event.preventDefault()
  }
  useEffect(() => {
    document.getElementById(`${listId}-${at}`)?.scrollIntoView({ block: 'nearest' })
  }, [at, listId])

  return (
    <>
      <div className={classes.field}>
        <IconSearch size={18} aria-hidden />
        <input
          className={classes.input}
          data-autofocus
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setActive(0)
          }}
          onKeyDown={onKeyDown}
          placeholder="Страница, действие, человек…"
          role="combobox"
          aria-label="Поиск и команды"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={shown.length ? `${listId}-${at}` : undefined}
          autoComplete="off"
          spellCheck={false}
        />
        <Keys keys="escape" />
      </div>
      <div id={listId} role="listbox" aria-label="Найденное" className={classes.list}>
        {shown.map((command, index) => {
          const heading = command.group !== shown[index - 1]?.group ? command.group : undefined
          return (
            <div key={`${command.group}:${command.id}`} role="presentation">
              {heading && (
                <div className={classes.heading} role="presentation">
                  {heading}
                </div>
              )}
              {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field above holds the keys */}
              <div
                id={`${listId}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === at}
                className={classes.item}
                onClick={() => run(command)}
                onMouseMove={() => setActive(index)}
              >
                <span className={classes.label}>{command.label}</span>
                {command.hint && <span className={classes.hint}>{command.hint}</span>}
                {command.keys && <Keys keys={command.keys} />}
              </div>
            </div>
          )
        })}
      </div>
      {shown.length === 0 && (
        <div className={classes.empty} role="status">
          Совпадений не найдено
        </div>
      )}
    </>
  )
}

/** Pages first, then the commands of the open screen, then those of everywhere. */
function useKnownCommands(onKeys: () => void): Command[] {
  const navigate = useNavigate()
  const actor = useActor()
  const { setColorScheme } = useMantineColorScheme()
  return useMemo(() => {
    const all: readonly Page[] = pages
    const open = all
      .filter((page) => !page.public && !page.path.includes(':') && pageAllowed(page, actor))
      .map(
        (page): Command => ({
          id: page.key,
          label: page.title,
          group: 'Страницы',
          hint: page.help,
          words: `${page.path} ${page.help}`,
          run: () => void navigate({ to: `/${page.path}` }),
        }),
      )
    const own = commands.list().map((command): Command => ({ ...command, group: command.group ?? 'Действия' }))
    const group = 'Приложение'
    return [
      ...own,
      ...open,
      { id: 'keys', label: 'Клавиши этой страницы', group, keys: '?', words: 'справка горячие', run: onKeys },
      { id: 'light', label: 'Светлое оформление', group, words: 'тема', run: () => setColorScheme('light') },
      { id: 'dark', label: 'Тёмное оформление', group, words: 'тема', run: () => setColorScheme('dark') },
      { id: 'auto', label: 'Оформление как в системе', group, words: 'тема авто', run: () => setColorScheme('auto') },
      { id: 'out', label: 'Выйти из системы', group, words: 'выход', run: () => void session.signOut() },
    ]
  }, [navigate, actor, setColorScheme, onKeys])
}

function useRecordSearch(text: string): Command[] {
  const [found, setFound] = useState<Command[]>([])
  useEffect(() => {
    const asked = text.trim()
    setFound([])
    if (asked.length < SEARCH_FROM) return
    const abort = new AbortController()
    const timer = setTimeout(() => {
      for (const source of commands.searches())
        source.search(asked, abort.signal).then(
          (records) => {
            if (!abort.signal.aborted)
              setFound((before) => [...before, ...records.map((record) => ({ ...record, group: source.group }))])
          },
          () => undefined,
        )
    }, SEARCH_DELAY_MS)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [text])
  return found
}
