import { SegmentedControl } from '@mantine/core'
import { Company } from '@ordinator/model/areas/sales/contact'
import { LossReason, SalesSource } from '@ordinator/model/areas/sales/lead'
import { OfferServiceReason } from '@ordinator/model/areas/sales/offer'
import { phoneText } from '@ordinator/model/phone'
import { type ReactNode, useState } from 'react'
import { SidePanel } from '../../../kit/SidePanel.tsx'
import { EditableList } from '../../../records/EditableList.tsx'
import classes from './SalesLists.module.css'

/** What deals choose from: sources, companies, reasons of losses and of cancelled services. */
export function SalesLists({ onClose }: { onClose: () => void }) {
  const [shown, setShown] = useState<keyof typeof lists>('sources')
  return (
    <SidePanel opened onClose={onClose} title="Справочники продаж">
      <div className={classes.choice}>
        <SegmentedControl
          aria-label="Справочник"
          data={Object.entries(names).map(([value, label]) => ({ value, label }))}
          value={shown}
          onChange={(value) => setShown(value as typeof shown)}
        />
      </div>
      <div key={shown}>{lists[shown]}</div>
    </SidePanel>
  )
}

const names = {
  sources: 'Источники',
  lossReasons: 'Причины отказа',
  serviceReasons: 'Причины по услугам',
  companies: 'Компании',
} as const

const lists: Record<keyof typeof names, ReactNode> = {
  sources: (
    <EditableList
      entity={SalesSource}
      label={names.sources}
      fields={['name', 'UTM']}
      add="Новый источник"
      empty={{ title: 'Источников нет', text: 'По UTM-метке источник новой заявки определится сам.' }}
      removed={(name) => `Источник «${name}» удалён`}
      about={({ UTM }) => UTM && `utm_source=${UTM}`}
    />
  ),
  lossReasons: (
    <EditableList
      entity={LossReason}
      label={names.lossReasons}
      fields={['name']}
      add="Новая причина"
      empty={{ title: 'Причин отказа нет', text: 'Без причины сделку нельзя перевести на этап отказа.' }}
      removed={(name) => `Причина «${name}» удалена`}
    />
  ),
  serviceReasons: (
    <EditableList
      entity={OfferServiceReason}
      label={names.serviceReasons}
      fields={['name']}
      add="Новая причина"
      empty={{ title: 'Причин нет', text: 'Без причины услугу предложения нельзя отменить или отложить.' }}
      removed={(name) => `Причина «${name}» удалена`}
    />
  ),
  companies: (
    <EditableList
      entity={Company}
      label={names.companies}
      fields={['name', 'phone', 'email', 'city', 'address']}
      add="Новая компания"
      empty={{ title: 'Компаний нет', text: 'Компания — кто платит или направляет: работодатель, страховая.' }}
      removed={(name) => `Компания «${name}» удалена`}
      about={({ phone, email, city }) => [phoneText(phone), email, city].filter(Boolean).join(', ')}
    />
  ),
}
