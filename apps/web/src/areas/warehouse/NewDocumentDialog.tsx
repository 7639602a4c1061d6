import { Autocomplete, Select, Switch, Textarea } from '@mantine/core'
import {
  type DocumentKind,
  documentKinds,
  kindRules,
  WarehouseDocument,
} from '@ordinator/model/areas/warehouse/document'
import { pageByKey } from '@ordinator/model/pages'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { recordsWith } from '#base/client.ts'
import { useAccount } from '#base/session.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { today } from '#kit/clock.ts'
import { DateField } from '#kit/DateField.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { invalidateRecords } from '#records/keys.ts'

const asked = recordsWith({ forbidden: 'toast' })
const kinds = Object.entries(documentKinds).map(([value, label]) => ({ value, label }))

interface Props {
  onClose: () => void
  onMade: (id: number) => void
  /** Fixed type of a page for one type. */
  only?: DocumentKind
}

/** New document: type and warehouses; lines are edited on its page. */
export function NewDocumentDialog({ onClose, onMade, only }: Props) {
  const cache = useQueryClient()
  const [kind, setKind] = useState<DocumentKind>(only ?? 'receipt')
  const [localDate, setDate] = useState<string | null>(today())
  const [idFrom, setFrom] = useState<number | null>(null)
  const [idTo, setTo] = useState<number | null>(null)
  const [idSupplier, setSupplier] = useState<number | null>(null)
  const [idGroup, setGroup] = useState<number | null>(null)
  const [reason, setReason] = useState('')
  const [commission, setCommission] = useState('')
  const [blind, setBlind] = useState(false)
  const { writeOffReasons } = useAccount().common.settings
  const rule = kindRules[kind]
  return (
    <ActionDialog
      title={only ? documentKinds[only] : pageByKey('warehouseDocument').title}
      action="Создать"
      onClose={onClose}
      faults={{
        localDate: !localDate && 'Укажите дату',
        idFrom: rule.from && !idFrom && 'Выберите склад',
        idTo: rule.to && !idTo && 'Выберите склад',
      }}
      run={async () => {
        const made = await asked.create(WarehouseDocument, {
          kind,
          localDate: localDate ?? today(),
          idFrom,
          idTo,
          idSupplier,
          idGroup,
          reason: rule.reason ? reason || null : null,
          ...(kind === 'inventory' && { blind, commission: commission.trim() || null }),
        })
        await invalidateRecords(cache, WarehouseDocument.path)
        onMade(made.id)
      }}
    >
      {(errorOf) => (
        <VStack gap={12}>
          {!only && (
            <Select
              label="Тип"
              data={kinds}
              value={kind}
              allowDeselect={false}
              onChange={(value) => setKind(value as DocumentKind)}
              error={errorOf('kind')}
            />
          )}
          <DateField
            label="Дата"
            required
            value={localDate}
            max={today()}
            onChange={setDate}
            error={errorOf('localDate')}
          />
          {rule.from && (
            <RefSelect
              to="warehouses"
              filter={{ active: true }}
              label={kind === 'inventory' ? 'Склад' : 'Со склада'}
              required
              value={idFrom}
              onChange={setFrom}
              error={errorOf('idFrom')}
            />
          )}
          {rule.to && (
            <RefSelect
              to="warehouses"
              filter={{ active: true }}
              label="На склад"
              required
              value={idTo}
              onChange={setTo}
              error={errorOf('idTo')}
            />
          )}
          {rule.supplier && (
            <RefSelect
              to="organizations"
              filter={{ active: true }}
              label="Поставщик"
              value={idSupplier}
              onChange={setSupplier}
              error={errorOf('idSupplier')}
            />
          )}
          {rule.reason && (
            <Autocomplete
              label="Причина"
              placeholder="Выберите или впишите"
              maxLength={200}
              data={writeOffReasons}
              value={reason}
              onChange={setReason}
              error={errorOf('reason')}
            />
          )}
          {kind === 'inventory' && (
            <>
              <Textarea
                label="Комиссия"
                description="Председатель и члены: встанут в приказ, опись и ведомость"
                autosize
                minRows={2}
                maxLength={1000}
                value={commission}
                onChange={(event) => setCommission(event.currentTarget.value)}
                error={errorOf('commission')}
              />
              <Switch
                label="Вслепую: кто считает, не видит учётных остатков"
                checked={blind}
                onChange={(event) => setBlind(event.currentTarget.checked)}
              />
            </>
          )}
          {kind === 'inventory' && (
            <RefSelect
              to="services-groups"
              filter={{ servicesGroupsType: 1 }}
              label="Группа товаров"
              placeholder="Все товары склада"
              value={idGroup}
              onChange={setGroup}
              error={errorOf('idGroup')}
            />
          )}
        </VStack>
      )}
    </ActionDialog>
  )
}
