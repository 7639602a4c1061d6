import { Autocomplete, Select, Switch, Textarea } from '@mantine/core'
import {
  type DocumentKind,
  documentKinds,
  kindRules,
  WarehouseDocument,
} from '@ordinator/model/areas/warehouse/document'
import { Warehouse } from '@ordinator/model/areas/warehouse/warehouse'
import { pageByKey } from '@ordinator/model/pages'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { recordsWith } from '#base/client.ts'
import { usePreference } from '#base/preferences.ts'
import { useAccount } from '#base/session.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { today } from '#kit/clock.ts'
import { DateField } from '#kit/DateField.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { submitOnEnter } from '#kit/submitOnEnter.ts'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { useList } from '#records/reads.ts'

const asked = recordsWith({ forbidden: 'toast' })
/** Warehouses of a clinic. */
const MAX_KNOWN = 200
const kinds = Object.entries(documentKinds).map(([value, label]) => ({ value, label }))

/** Warehouses of the user's last document of each type. */
type Last = Partial<Record<DocumentKind, { idFrom: number | null; idTo: number | null }>>
const readLast = (stored: unknown): Last => (typeof stored === 'object' && stored !== null ? (stored as Last) : {})

interface Props {
  onClose: () => void
  onMade: (id: number) => void
  /** Fixed type of a page for one type. */
  only?: DocumentKind
}

/** New document: type and warehouses; lines are edited on its page. */
export function NewDocumentDialog({ onClose, onMade, only: fixed }: Props) {
  const cache = useQueryClient()
  const [kind, setKind] = useState<DocumentKind>(fixed ?? 'receipt')
  const rule = kindRules[kind]
  const [localDate, setDate] = useState<string | null>(today())
  const [last, keepLast] = usePreference('warehouse:last', readLast, 'account')
  const [from, setFrom] = useState<number | null>()
  const [to, setTo] = useState<number | null>()
  const all = useList(
    Warehouse,
    { filter: { active: true }, fields: ['name'], limit: MAX_KNOWN },
    { forbidden: 'silent' },
  )
  // One is chosen already; of several, the last one if it is still in use.
  const known = (id: number | null | undefined) =>
    all.data ? all.data.items.find((one) => one.id === id)?.id : (id ?? undefined)
  const only = all.data?.items.length === 1 ? all.data.items[0]?.id : undefined
  const idFrom = from === undefined ? (known(last[kind]?.idFrom) ?? only ?? null) : from
  const idTo = to === undefined ? (known(last[kind]?.idTo) ?? (rule.from ? undefined : only) ?? null) : to
  const [idSupplier, setSupplier] = useState<number | null>(null)
  const [idGroup, setGroup] = useState<number | null>(null)
  const [reason, setReason] = useState('')
  const [commission, setCommission] = useState('')
  const [blind, setBlind] = useState(false)
  const { writeOffReasons } = useAccount().common.settings
  return (
    <ActionDialog
      title={fixed ? documentKinds[fixed] : pageByKey('warehouseDocument').title}
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
          idFrom: rule.from ? idFrom : null,
          idTo: rule.to ? idTo : null,
          idSupplier,
          idGroup,
          reason: rule.reason ? reason || null : null,
          ...(kind === 'inventory' && { blind, commission: commission.trim() || null }),
        })
        keepLast({ ...last, [kind]: { idFrom, idTo } })
        await invalidateRecords(cache, WarehouseDocument.path)
        onMade(made.id)
      }}
    >
      {(errorOf) => (
        <VStack gap={12}>
          {!fixed && (
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
              autoFocus={kind === 'receipt' && last[kind]?.idTo === undefined}
              value={idTo}
              onChange={setTo}
              error={errorOf('idTo')}
            />
          )}
          {rule.supplier && (
            <RefSelect
              to="organizations"
              filter={{ active: true, kind: 'supplier' }}
              label="Поставщик"
              autoFocus={kind === 'receipt'}
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
              onKeyDown={submitOnEnter}
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
