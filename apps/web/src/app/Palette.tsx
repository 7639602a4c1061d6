import { useMantineColorScheme } from '@mantine/core'
import { refusal } from '@ordinator/model/access'
import { questions, searchOf } from '@ordinator/model/areas/reports/questions'
import type { Page } from '@ordinator/model/page'
import { ourPage, type PageKey, pageAllowed, pageByKey, pages, searchedPages } from '@ordinator/model/pages'
import { IconSearch } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useId, useMemo, useState } from 'react'
import { readAllNotices } from '#areas/notifications/index.ts'
import { useGo } from '#base/address.ts'
import { type Command, listedCommands } from '#base/commands.ts'
import { byUse, isUsed, noteUse } from '#base/commandUse.ts'
import { recent } from '#base/recent.ts'
import { session, useAccount, useActor } from '#base/session.ts'
import { today } from '#kit/clock.ts'
import { Dialog } from '#kit/Dialog.tsx'
import { Keys } from '#kit/Keys.tsx'
import { APP } from '#kit/root.ts'
import { takeTyped } from '#kit/typeAhead.ts'
import { CommandIcon } from './CommandIcon.tsx'
import classes from './Palette.module.css'
import { CUSTOMERS, PAGES } from './paletteGroups.ts'
import { MAX_BESIDE, useGuideSearch, useRecordSearch, useSettingSearch } from './paletteSearch.ts'
import { isNamed, rankCommands } from './rankCommands.ts'
import { useUnknownPhone } from './useUnknownPhone.ts'

const MAX_RECENT = 10

interface Props {
  opened: boolean
  onClose: () => void
  /** Shows the help of a page; absent: of the open one. */
  onHelp: (page: PageKey | undefined) => void
}

/** Search and commands (Ctrl+K): pages, commands of the open screen, records. */
export default function Palette({ opened, onClose, onHelp }: Props) {
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
      <PaletteBody onClose={onClose} onHelp={onHelp} />
    </Dialog>
  )
}

function PaletteBody({ onClose, onHelp }: Omit<Props, 'opened'>) {
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  /** Text at which Enter was pressed before its results arrived. */
  const [entered, setEntered] = useState<string>()
  const known = useKnownCommands(onHelp)
  const latest = useRecentPlaces()
  const go = useGo()
  const { found, state } = useRecordSearch(text)
  const settings = useSettingSearch(text)
  const help = useGuideSearch(text, onHelp)
  const caller = useUnknownPhone(text, state === 'idle' && !found.some(({ path }) => path === CUSTOMERS))
  const toPage = useMemo(
    (): Command => ({
      id: 'search-page',
      label: 'Показать на странице поиска',
      group: 'Поиск',
      hint: 'по виду, дню и сотруднику',
      run: () => void go({ page: 'search', search: { q: text.trim() } }),
    }),
    [text, go],
  )
  const shown = useMemo(() => {
    const ranked = rankCommands(known, text)
    if (!text.trim()) return [...latest, ...ranked.filter((one) => !one.rare || isUsed(one))]
    // Help comes last, and not for a page that is shown already.
    const pages = new Set(ranked.filter(({ group }) => group === PAGES).map(({ id }) => `guide-${id}`))
    const more = help.filter(({ id }) => !pages.has(id))
    if (found.length === 0) return [...caller, ...ranked, ...settings, ...more]
    // Pages that match only by description come after the found records.
    const [named, others] = [ranked.filter((one) => isNamed(one, text)), ranked.filter((one) => !isNamed(one, text))]
    return [
      ...caller,
      ...named.slice(0, MAX_BESIDE),
      ...found,
      ...settings,
      ...others.slice(0, MAX_BESIDE),
      toPage,
      ...more,
    ]
  }, [known, latest, text, found, settings, help, caller, toPage])
  const listId = useId()
  const at = Math.min(active, shown.length - 1)

  const run = (command: Command | undefined) => {
    if (!command) return
    if (known.includes(command)) noteUse(command)
    onClose()
    command.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && shown.length) setActive((at + step + shown.length) % shown.length)
    else if (event.key === 'Home' && !text) setActive(0)
    else if (event.key === 'End' && !text) setActive(shown.length - 1)
    else if (event.key === 'Enter') {
      // Enter right after typing a name means the coming results, not those shown before.
      const first = shown[at]
      const isSure = at > 0 || (first && known.includes(first) && isNamed(first, text))
      if (state === 'looking' && !isSure) setEntered(text)
      else run(first)
    } else return
    event.preventDefault()
  }
  useEffect(() => {
    if (entered === undefined || state === 'looking') return
    setEntered(undefined)
    if (entered === text && state === 'idle') run(shown[0])
  })
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
          onFocus={() => {
            const ahead = takeTyped()
            const next = text + ahead.replaceAll('\n', '')
            setText(next)
            if (ahead.endsWith('\n')) setEntered(next)
          }}
          onKeyDown={onKeyDown}
          placeholder="Задача, сделка, телефон, человек, страница…"
          role="combobox"
          aria-label="Поиск и команды"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={shown.length ? `${listId}-${at}` : undefined}
          autoComplete="off"
          spellCheck={false}
        />
        <span className={classes.keys}>
          <Keys keys="escape" />
        </span>
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
                <CommandIcon command={command} />
                <span className={classes.label}>{command.label}</span>
                {command.hint && <span className={classes.hint}>{command.hint}</span>}
                {command.keys && (
                  <span className={classes.keys}>
                    <Keys keys={command.keys} />
                  </span>
                )}
              </div>
            </div>
          )
        })}
      </div>
      {state === 'failed' ? (
        <div className={classes.empty} role="status">
          Записи не найдены: нет связи с сервером
        </div>
      ) : (
        shown.length === 0 && (
          <div className={classes.empty} role="status">
            {state === 'looking' ? 'Ищем…' : 'Совпадений не найдено'}
          </div>
        )
      )}
    </>
  )
}

/** Pages first, then commands of the open screen, then global ones. */
function useKnownCommands(onHelp: Props['onHelp']): Command[] {
  const navigate = useNavigate()
  const cache = useQueryClient()
  const actor = useActor()
  const { setColorScheme } = useMantineColorScheme()
  const { oldCrmUrl } = useAccount().common.settings
  return useMemo(() => {
    const all: readonly Page[] = pages
    const open = searchedPages(actor, oldCrmUrl).map(
      (page): Command => ({
        id: page.key,
        label: page.title,
        group: PAGES,
        hint: page.help,
        names: page.names,
        words: `${page.path} ${page.help}`,
        run: () => void navigate({ to: `/${page.path}` }),
      }),
    )
    const asking = questions
      .filter(({ page }) => pageAllowed(pageByKey(page), actor))
      .map(
        (question): Command => ({
          id: `question-${question.text}`,
          label: question.text,
          group: 'Вопросы',
          names: 'names' in question ? question.names : '',
          rare: true,
          run: () => void navigate({ to: `/${pageByKey(question.page).path}`, search: searchOf(question, today()) }),
        }),
      )
    const group = 'Приложение'
    const doing = 'Действия'
    const MAKES = 'создать добавить новый новая новое новую'
    const making = all
      .filter((page) => pageAllowed(page, actor))
      .flatMap(({ key, makes, does = [] }) =>
        [...(makes ? [{ ...makes, id: `new-${key}`, names: `${MAKES} ${makes.names ?? ''}` }] : []), ...does]
          .filter((one) => !refusal(actor, one))
          .map(
            ({ label, names, rare, search, ...more }): Command => ({
              id: 'id' in more ? more.id : `do-${key}-${label}`,
              label,
              group: doing,
              names,
              rare: rare ?? false,
              run: () =>
                void navigate({ to: `/${ourPage(key as PageKey, oldCrmUrl).path}`, search: search ?? { open: 'new' } }),
            }),
          ),
      )
    const own = listedCommands().map((command): Command => ({ ...command, group: command.group ?? doing }))
    const reading: Command = {
      id: 'read-all',
      label: 'Отметить все уведомления прочитанными',
      group: doing,
      run: () => void readAllNotices(cache),
    }
    // Commands of the open screen replace global ones with the same label.
    const twice = new Set(own.map(({ label }) => label))
    return byUse([
      ...making.filter(({ label }) => !twice.has(label)),
      reading,
      ...own,
      ...asking,
      ...open,
      {
        id: 'keys',
        label: 'Справка и клавиши этой страницы',
        group,
        keys: '?',
        words: 'помощь горячие',
        run: () => onHelp(undefined),
      },
      { id: 'light', label: 'Светлое оформление', group, words: 'тема', run: () => setColorScheme('light') },
      { id: 'dark', label: 'Тёмное оформление', group, words: 'тема', run: () => setColorScheme('dark') },
      { id: 'auto', label: 'Оформление как в системе', group, words: 'тема авто', run: () => setColorScheme('auto') },
      { id: 'out', label: 'Выйти из системы', group, words: 'выход', run: () => void session.signOut() },
    ])
  }, [navigate, cache, actor, setColorScheme, onHelp, oldCrmUrl])
}

/** Recently opened records and pages, shown before anything is typed. */
function useRecentPlaces(): Command[] {
  const navigate = useNavigate()
  return useMemo(() => {
    const here = location.pathname + location.search
    return recent()
      .filter(({ link }) => APP + link !== here)
      .slice(0, MAX_RECENT)
      .map(({ link, title }) => ({
        id: link,
        label: title,
        group: 'Недавнее',
        run: () => void navigate({ to: link }),
      }))
  }, [navigate])
}
