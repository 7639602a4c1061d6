import { Box, Collapse, Tabs, Text } from '@mantine/core'
import { News, NewsRead } from '@ordinator/model/areas/news/news'
import { counted } from '@ordinator/model/format'
import { IconBellRinging, IconChevronDown } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDateTime, formatHuman } from '#kit/clock.ts'
import { FailedLoad } from '#kit/FailedLoad.tsx'
import { notify } from '#kit/notify.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { UserChip } from '#kit/UserChip.tsx'
import { invalidateRecords, recordKeys } from '#records/keys.ts'
import classes from './NewsView.module.css'
import { Section } from './Section.tsx'

/** Readers of a news item, and a reminder to the others. */
export function Readers({ news }: { news: { id: number; dateReminded: string | null } }) {
  const cache = useQueryClient()
  const [opened, setOpened] = useState(false)
  const [sending, setSending] = useState(false)
  const answer = useQuery({
    queryKey: [...recordKeys.lists(NewsRead.path), 'readers', news.id],
    queryFn: ({ signal }) => api('GET /news/:id/readers', { params: { id: news.id } }, { signal, forbidden: 'silent' }),
  })
  const remind = async () => {
    setSending(true)
    try {
      const { count } = await api('POST /news/:id/remind', { params: { id: news.id } }, { forbidden: 'toast' })
      notify.success(count ? `Напомнили: ${counted(count, people)}` : 'Напоминать некому')
      await invalidateRecords(cache, News.path)
    } catch (error) {
      notify.error(errorMessage(error), { title: 'Напоминание не отправлено' })
    } finally {
      setSending(false)
    }
  }
  const { read = [], unread = [] } = answer.data ?? {}
  return (
    <Section
      title="Прочитали"
      count={answer.isSuccess ? `${read.length} из ${read.length + unread.length}` : undefined}
      actions={
        answer.isSuccess && (
          <>
            {unread.length > 0 && (
              <ActionButton
                label="Напомнить"
                size="compact-sm"
                variant="default"
                icon={IconBellRinging}
                loading={sending}
                title={news.dateReminded ? `Напоминали ${formatHuman(news.dateReminded)}` : undefined}
                onClick={() => void remind()}
              />
            )}
            <ActionButton
              label={opened ? 'Свернуть' : 'Показать'}
              size="compact-sm"
              variant="subtle"
              color="gray"
              aria-expanded={opened}
              rightSection={<IconChevronDown size={16} className={classes.chevron} data-up={opened || undefined} />}
              onClick={() => setOpened(!opened)}
            />
          </>
        )
      }
    >
      {answer.isPending && <LinesSkeleton lines={1} />}
      {answer.isError && !answer.data && <FailedLoad what="Список не загрузился" load={answer} />}
      <Collapse expanded={opened}>
        <Tabs defaultValue="unread" keepMounted={false}>
          <Tabs.List mb="xs">
            <Tabs.Tab value="unread">Не прочитали: {unread.length}</Tabs.Tab>
            <Tabs.Tab value="read">Прочитали: {read.length}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="unread">
            {unread.length === 0 && <Text c="dimmed">Прочитали все.</Text>}
            <ul className={classes.readers}>
              {unread.map((user) => (
                <li key={user.id}>
                  <UserChip user={user} />
                </li>
              ))}
            </ul>
          </Tabs.Panel>
          <Tabs.Panel value="read">
            {read.length === 0 && <Text c="dimmed">Пока никто.</Text>}
            <ul className={classes.readers}>
              {read.map(({ user, dateRead }) => (
                <li key={user.id}>
                  <UserChip user={user} />
                  <Box
                    component="time"
                    c="dimmed"
                    fz={12}
                    flex="none"
                    dateTime={dateRead}
                    title={formatDateTime(dateRead)}
                  >
                    {formatHuman(dateRead)}
                  </Box>
                </li>
              ))}
            </ul>
          </Tabs.Panel>
        </Tabs>
      </Collapse>
    </Section>
  )
}

const people = ['сотруднику', 'сотрудникам', 'сотрудникам'] as const
