import { ChatDomain } from '@ordinator/model/areas/chats/chatSettings'
import { pageByKey } from '@ordinator/model/pages'
import { CopyField } from '#kit/CopyField.tsx'
import { GenericLink } from '#kit/GenericLink.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import type { RecordParts } from '#records/registry/RegistryRecord.tsx'

const tabs: RecordParts<typeof ChatDomain>['tabs'] = {
  code: { label: 'Код для вставки', panel: ({ key }) => <Code siteKey={key} /> },
}

/** Карта доменов: sites with a chat, each with its script tag. */
export default function DomainsPage() {
  return (
    <RegistryPage page={pageByKey('domainmap')} entity={ChatDomain} tabs={tabs} isMuted={({ active }) => !active} />
  )
}

function Code({ siteKey }: { siteKey: string }) {
  const tag = `<script async src="${location.origin}/live-assist/widget.js?key=${siteKey}"></script>`
  return (
    <VStack gap={12}>
      <CopyField label="Код виджета" value={tag} />
      <Fine component="p">
        Вставьте его на каждую страницу сайта перед закрывающим тегом body. Кнопка чата появится справа внизу.
      </Fine>
      <GenericLink href={`${location.origin}/live-assist/demo`}>Посмотреть на примере сайта клиники</GenericLink>
    </VStack>
  )
}
