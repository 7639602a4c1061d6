import { OnlineDialog } from '@ordinator/model/areas/chats/online'
import { pageByKey } from '@ordinator/model/pages'
import { useQuery } from '@tanstack/react-query'
import { useAddress } from '#base/address.ts'
import { id } from '#base/addressValues.ts'
import { api } from '#base/api.ts'
import { useRecord } from '#records/reads.ts'
import { TalkPlace } from '../TalkPlace.tsx'
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

/** Чат с пациентом. */
export default function ServiceOnlinePage() {
  const [{ tab = 'mine', dialog }, setAddress] = useAddress(read)
  const counts = useQuery({
    queryKey: ['onlineCounts'],
    queryFn: ({ signal }) => api('GET /service-online/counts', {}, { signal }),
    meta: { live: [OnlineDialog.path] },
  }).data
  const open = useRecord(OnlineDialog, dialog, { expand: ['user', 'customer', 'filial'] }, { forbidden: 'silent' })
  return (
    <TalkPlace
      title={page.title}
      news={counts?.unread}
      opened={dialog}
      open={open}
      words={words}
      list={
        <OnlineList
          tab={tab}
          opened={dialog}
          counts={counts}
          onTab={(next) => setAddress({ tab: next === 'mine' ? undefined : next })}
          onOpen={(next) => setAddress({ dialog: next })}
        />
      }
      thread={(row, onAbout) => (
        <OnlineThread key={row.id} dialog={row} onClose={() => setAddress({ dialog: undefined })} onAbout={onAbout} />
      )}
      context={(row) => <OnlineContext dialog={row} />}
    />
  )
}

const words = {
  talk: 'Диалог',
  choose: { title: 'Выберите диалог', text: 'Слева пациенты, которые пишут из личного кабинета.' },
  failed: 'Диалог не открылся',
  about: 'О пациенте',
}
