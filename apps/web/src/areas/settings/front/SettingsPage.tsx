import { Box, SegmentedControl } from '@mantine/core'
import { findSettings } from '@ordinator/model/areas/settings/findSettings'
import { type Page, type SetUpGroup, setUpGroups } from '@ordinator/model/page'
import { isOffered, pageAllowed, pageByKey, pages } from '@ordinator/model/pages'
import { type KeyboardEvent, useMemo, useState } from 'react'
import { useAddress, useGo } from '#base/address.ts'
import { useAccount, useActor } from '#base/session.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { SearchField } from '#kit/SearchField.tsx'
import { ChangesList } from '../changes/ChangesList.tsx'
import { openSetting } from '../openSetting.ts'
import { FoundSettings } from './FoundSettings.tsx'
import { PageTiles } from './PageTiles.tsx'

const views = { pages: 'Разделы', changes: 'Изменения' } as const
type View = keyof typeof views

/** Settings of the clinic: search, pages, and recent changes. */
export default function SettingsPage() {
  const page = pageByKey('settings')
  const [{ view }, set] = useAddress(readView)
  const [text, setText] = useState('')
  const found = useMemo(() => findSettings(text), [text])
  const named = usePages().filter(({ title, help }) => isIn(`${title} ${help}`, text))
  const go = useGo()
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !found[0] || event.nativeEvent.isComposing) return
    event.preventDefault()
    openSetting(go, found[0])
  }
  return (
    <>
      <PageHead title={page.title} help={page.help}>
        <SearchField
          aria-label="Поиск по настройкам"
          placeholder="Найти настройку: пароль, тихие часы, лицензия…"
          maxLength={100}
          autoFocus
          maw={480}
          w="100%"
          value={text}
          onChange={setText}
          onKeyDownCapture={onKeyDown}
        />
        {!text.trim() && (
          <SegmentedControl
            aria-label="Что показать"
            data={Object.entries(views).map(([value, label]) => ({ value, label }))}
            value={view}
            onChange={(next) => set({ view: next as View })}
          />
        )}
      </PageHead>
      <Box px="var(--ord-page)" pt={8} pb={32}>
        {text.trim() ? (
          <>
            {found.length > 0 && <FoundSettings names={found} />}
            {named.length > 0 && <PageTiles title="Разделы" pages={named} />}
            {found.length + named.length === 0 && (
              <EmptyState title="Ничего не нашлось" text="Попробуйте другое слово: «пароль», «напоминание», «срок»" />
            )}
          </>
        ) : view === 'changes' ? (
          <ChangesList />
        ) : (
          <Pages />
        )}
      </Box>
    </>
  )
}

function Pages() {
  const open = usePages()
  return (Object.keys(setUpGroups) as SetUpGroup[]).map((key) => (
    <PageTiles key={key} title={setUpGroups[key]} pages={open.filter(({ group }) => group === key)} />
  ))
}

/** Settings pages accessible to the user. */
function usePages(): Page[] {
  const actor = useActor()
  const { oldCrmUrl } = useAccount().common.settings
  return useMemo(() => {
    const all: readonly Page[] = pages
    return all.filter(
      (page) =>
        page.group !== undefined &&
        !page.linked &&
        !page.path.includes(':') &&
        isOffered(page, oldCrmUrl) &&
        pageAllowed(page, actor),
    )
  }, [actor, oldCrmUrl])
}

const isIn = (where: string, text: string) => {
  const words = text.trim().toLowerCase().split(/\s+/)
  return words[0] !== '' && words.every((word) => where.toLowerCase().includes(word))
}

const readView = ({ view }: Record<string, unknown>): { view: View } => ({
  view: view === 'changes' ? 'changes' : 'pages',
})
