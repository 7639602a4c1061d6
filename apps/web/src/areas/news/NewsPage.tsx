import { Button } from '@mantine/core'
import { News, NewsIntake } from '@ordinator/model/areas/news/news'
import { pageByKey } from '@ordinator/model/pages'
import { IconLayoutGrid, IconPlus, IconTable, IconWebhook } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { part } from '#kit/chunk.ts'
import { useHotkey } from '#kit/hotkeys.ts'
import { IconButton } from '#kit/IconButton.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { ViewSwitch } from '#kit/ViewSwitch.tsx'
import { useCan } from '#records/Can.tsx'
import { type NewsView, useNewsAddress } from './address.ts'
import { NewsIntakes } from './intake/NewsIntakes.tsx'
import { NewsFilterBar } from './list/NewsFilterBar.tsx'
import classes from './News.module.css'
import { NewsPanel } from './NewsPanel.tsx'
import { newsFilters } from './newsFilter.ts'

const page = pageByKey('news')
const views = {
  table: { label: 'Таблица', icon: IconTable },
  feed: { label: 'Лента', icon: IconLayoutGrid },
} as const
const waiting = <LinesSkeleton lines={8} />
const screens = {
  table: part(() => import('./list/NewsTable.tsx'), waiting),
  feed: part(() => import('./list/NewsFeed.tsx'), waiting),
} satisfies Record<NewsView, unknown>

/** Новости: of the clinic and its outside pages, as a table or a feed; an item opens in the side panel. */
export default function NewsPage() {
  const [address, setAddress] = useNewsAddress()
  const [intakes, setIntakes] = useState(false)
  const mayCreate = useCan('create', News)
  const maySetUp = useCan('create', NewsIntake)
  const { view = 'table', news, create, edit } = address
  const filter = useMemo(() => newsFilters.filter(address), [address])
  const add = () => setAddress({ create: true, news: undefined, edit: undefined })
  const open = (id: number) => setAddress({ news: id, create: undefined, edit: undefined })
  useHotkey('n', add, { label: 'Новая новость', enabled: mayCreate })
  const List = screens[view]
  const opened = create ? 'new' : news
  return (
    <VStack gap={0} mih="100%">
      <PageHead
        title={page.title}
        help={page.help}
        actions={
          <>
            <ViewSwitch views={views} view={view} onChange={(next) => setAddress({ view: next })} />
            {maySetUp && (
              <IconButton
                icon={IconWebhook}
                variant="default"
                size={32}
                label="Приём новостей"
                onClick={() => setIntakes(true)}
              />
            )}
            {mayCreate && <ActionButton label="Добавить новость" icon={IconPlus} onClick={add} />}
          </>
        }
      />
      <div className={classes.filters}>
        <NewsFilterBar address={address} setAddress={setAddress} />
      </div>
      <div className={classes.list}>
        <List
          filter={filter}
          onOpen={open}
          empty={
            newsFilters.count(address)
              ? {
                  title: 'Ничего не найдено',
                  text: 'Измените условия или сбросьте их',
                  action: (
                    <ActionButton
                      label="Сбросить условия"
                      variant="default"
                      onClick={() => setAddress(newsFilters.none)}
                    />
                  ),
                }
              : {
                  title: 'Новостей пока нет',
                  text: mayCreate
                    ? 'Напишите первую или настройте приём из ВКонтакте, Telegram и других источников'
                    : 'Опубликованные новости появятся здесь',
                  action: mayCreate && <Button onClick={add}>Добавить новость</Button>,
                }
          }
        />
      </div>
      {opened !== undefined && (
        <NewsPanel
          id={opened}
          editing={edit === true}
          onEditing={(on) => setAddress({ edit: on || undefined })}
          onCreated={open}
          onClose={() => setAddress({ news: undefined, create: undefined, edit: undefined })}
        />
      )}
      {intakes && <NewsIntakes onClose={() => setIntakes(false)} />}
    </VStack>
  )
}
