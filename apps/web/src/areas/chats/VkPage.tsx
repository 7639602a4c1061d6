import { pageByKey } from '@ordinator/model/pages'
import { ChannelsOf } from './ChannelsPage.tsx'

/** ВКонтакте: communities of the clinic; messages become chats, wall posts become news. */
export default function VkPage() {
  return (
    <ChannelsOf
      page={pageByKey('socialsVk')}
      kind="vk"
      empty={{
        title: 'Сообществ пока нет',
        text: 'Добавьте канал с ключом сообщества: сообщения пациентов придут в чат поддержки.',
      }}
    />
  )
}
