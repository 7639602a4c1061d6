import { VisuallyHidden } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { OnlineDialog } from '@ordinator/model/areas/chats/online'
import { pageByKey } from '@ordinator/model/pages'
import { IconMessages } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useAddress } from '../../../base/address.ts'
import { id } from '../../../base/addressValues.ts'
import { api } from '../../../base/api.ts'
import { usePageTitle } from '../../../base/title.ts'
import { Drawer } from '../../../kit/Drawer.tsx'
import { EmptyState } from '../../../kit/EmptyState.tsx'
import { ErrorState } from '../../../kit/ErrorState.tsx'
import { LinesSkeleton } from '../../../kit/Skeletons.tsx'
import { useRecord } from '../../../records/reads.ts'
import classes from '../chats.module.css'
import { OnlineContext } from './OnlineContext.tsx'
import { isOnlineTab, OnlineList, type OnlineTab } from './OnlineList.tsx'
import { OnlineThread } from './OnlineThread.tsx'

const page = pageByKey('serviceOnline')

interface Address {
  tab: OnlineTab | undefined
  dialog: number | undefined
}
const read = (search: Record<string, unknown>): Address => ({
  tab: isOnlineTab(search.tab) ? search.tab : undefined,
  dialog: id(search.dialog),
})

/** Чат с пациентом: the list, the conversation, and who it is with. On a phone one after another. */
export default function ServiceOnlinePage() {
  const [{ tab = 'mine', dialog }, setAddress] = useAddress(read)
  const wide = useMediaQuery('(min-width: 75.01em)', true, { getInitialValueInEffect: false })
  const [aboutOpened, about] = useDisclosure(false)
  const counts = useQuery({
    queryKey: ['onlineCounts'],
    queryFn: ({ signal }) => api('GET /service-online/counts', {}, { signal }),
    meta: { live: [OnlineDialog.path] },
  }).data
  usePageTitle(counts && counts.unread > 0 ? `(${counts.unread}) ${page.title}` : undefined)
  const open = useRecord(OnlineDialog, dialog, { expand: ['user', 'customer', 'filial'] }, { forbidden: 'silent' })
  return (
    <div className={classes.place} data-open={dialog !== undefined || undefined}>
      <VisuallyHidden component="h1">{page.title}</VisuallyHidden>
      <OnlineList
        tab={tab}
        opened={dialog}
        counts={counts}
        onTab={(next) => setAddress({ tab: next === 'mine' ? undefined : next })}
        onOpen={(next) => setAddress({ dialog: next })}
      />
      {dialog === undefined ? (
        <section className={classes.blank} aria-label="Диалог">
          <EmptyState
            icon={IconMessages}
            title="Выберите диалог"
            text="Слева пациенты, которые пишут из личного кабинета."
          />
        </section>
      ) : open.isError ? (
        <section className={classes.blank} aria-label="Диалог">
          <ErrorState title="Диалог не открылся" error={open.error} onRetry={() => void open.refetch()} />
        </section>
      ) : open.data?.id === dialog ? (
        <>
          <OnlineThread
            key={dialog}
            dialog={open.data}
            onClose={() => setAddress({ dialog: undefined })}
            onAbout={wide ? undefined : about.open}
          />
          {wide && (
            <aside className={classes.context} aria-label="О пациенте">
              <OnlineContext dialog={open.data} />
            </aside>
          )}
          <Drawer
            opened={!wide && aboutOpened}
            onClose={about.close}
            position="right"
            size={360}
            title="О пациенте"
            closeButtonProps={{ 'aria-label': 'Закрыть' }}
          >
            <OnlineContext dialog={open.data} />
          </Drawer>
        </>
      ) : (
        <section className={classes.blank} aria-label="Диалог">
          <LinesSkeleton lines={6} />
        </section>
      )}
    </div>
  )
}
