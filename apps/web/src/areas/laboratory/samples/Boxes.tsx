import { Select, TextInput } from '@mantine/core'
import { Filial } from '@ordinator/model/areas/filials/filial'
import { Laboratory } from '@ordinator/model/areas/laboratory/laboratory'
import { LabShipment } from '@ordinator/model/areas/laboratory/sample'
import { type TempMode, temperatures } from '@ordinator/model/areas/laboratory/words'
import type { Expanded } from '@ordinator/model/client'
import { messages } from '@ordinator/model/messages'
import { IconFileTypePdf, IconPlus, IconTruckDelivery } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, apiUrl } from '#base/api.ts'
import { ApiError } from '#base/apiError.ts'
import { recordsWith } from '#base/client.ts'
import { saveFile } from '#base/saveFile.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { notify } from '#kit/notify.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { asRows, useList } from '#records/reads.ts'
import { readLaboratory } from '../reads.ts'

const asked = recordsWith({ forbidden: 'toast' })

/** Open boxes: choose, create, send. */
export function Boxes({ chosen, onChoose }: { chosen: number | null; onChoose: (id: number | null) => void }) {
  const [open, setOpen] = useState<'new' | 'ship'>()
  const list = useList(LabShipment, { filter: { status: 'open' }, expand: ['laboratory'], sort: '-id', limit: 50 })
  const boxes = asRows<Expanded<typeof LabShipment, 'laboratory'>>(list.data?.items)
  const box = boxes.find(({ id }) => id === chosen)
  const first = boxes[0]?.id
  useEffect(() => {
    if (chosen === null && first !== undefined) onChoose(first)
  }, [chosen, first, onChoose])
  const print = () =>
    saveFile(
      apiUrl('GET /laboratory/shipments/:id/act', { params: { id: chosen as number } }),
      `Акт ${box?.number}.pdf`,
      'Акт не напечатан',
    )
  return (
    <HStack wrap gap={8} align="flex-end">
      <Select
        label="Контейнер"
        w={340}
        placeholder={boxes.length ? 'Выберите контейнер' : 'Начните новый'}
        data={boxes.map(({ id, number, laboratory, tempMode, samplesCount }) => ({
          value: String(id),
          label: `${number} · ${laboratory?.name ?? ''} · ${temperatures[tempMode]} · ${samplesCount} шт.`,
        }))}
        value={box ? String(box.id) : null}
        onChange={(value) => onChoose(value === null ? null : Number(value))}
      />
      <ActionButton label="Новый" icon={IconPlus} variant="default" onClick={() => setOpen('new')} />
      {box && <ActionButton label="Акт" icon={IconFileTypePdf} variant="default" onClick={() => void print()} />}
      {box && (
        <ActionButton
          label="Отправить"
          icon={IconTruckDelivery}
          disabled={box.samplesCount === 0}
          onClick={() => setOpen('ship')}
        />
      )}
      {open === 'new' && <NewBoxDialog onMade={onChoose} onClose={() => setOpen(undefined)} />}
      {open === 'ship' && box && (
        <ShipDialog box={box} onDone={() => onChoose(null)} onClose={() => setOpen(undefined)} />
      )}
    </HStack>
  )
}

function NewBoxDialog({ onMade, onClose }: { onMade: (id: number) => void; onClose: () => void }) {
  const cache = useQueryClient()
  const [idLaboratory, setLaboratory] = useState<number | null>(null)
  const [idFilial, setFilial] = useState<number | null>(null)
  const [tempMode, setTemp] = useState<TempMode>('cold')
  return (
    <ActionDialog
      title="Новый контейнер"
      action="Начать"
      faults={{ idLaboratory: !idLaboratory && messages.required, idFilial: !idFilial && messages.required }}
      onClose={onClose}
      run={async () => {
        const made = await asked.create(LabShipment, {
          idLaboratory: idLaboratory as number,
          idFilial: idFilial as number,
          tempMode,
        })
        await invalidateRecords(cache, LabShipment.path)
        onMade(made.id)
      }}
    >
      {(errorOf) => (
        <VStack gap={12}>
          <RefSelect
            to={Laboratory.path}
            label="Куда"
            required
            value={idLaboratory}
            error={errorOf('idLaboratory')}
            onChange={setLaboratory}
          />
          <RefSelect
            to={Filial.path}
            label="Откуда"
            required
            value={idFilial}
            error={errorOf('idFilial')}
            onChange={setFilial}
          />
          <Select
            label="Режим"
            data={Object.entries(temperatures).map(([value, label]) => ({ value, label }))}
            value={tempMode}
            allowDeselect={false}
            onChange={(value) => setTemp(value as TempMode)}
          />
        </VStack>
      )}
    </ActionDialog>
  )
}

function ShipDialog({
  box,
  onDone,
  onClose,
}: {
  box: Expanded<typeof LabShipment, 'laboratory'>
  onDone: () => void
  onClose: () => void
}) {
  const cache = useQueryClient()
  const [temperature, setTemperature] = useState<number | string | null>(null)
  const [courier, setCourier] = useState('')
  const [anyway, setAnyway] = useState(false)
  return (
    <ActionDialog
      title={`Отправка контейнера ${box.number}`}
      action="Отправить"
      faults={{
        temperature: typeof temperature !== 'number' && 'Измерьте температуру',
        courier: !courier.trim() && 'Укажите курьера',
      }}
      onClose={onClose}
      run={async () => {
        try {
          await api(
            'POST /laboratory/shipments/:id/ship',
            {
              params: { id: box.id },
              body: { temperature: temperature as number, courier, ...(anyway && { anyway }) },
            },
            { forbidden: 'toast' },
          )
        } catch (error) {
          if (error instanceof ApiError && error.byField?.temperature) setAnyway(true)
          throw error
        }
        await invalidateRecords(cache, LabShipment.path)
        await readLaboratory(cache)
        onDone()
        notify.success('Контейнер отправлен')
      }}
    >
      {(errorOf) => (
        <VStack gap={12}>
          <span>
            {box.laboratory?.name}, режим {temperatures[box.tempMode]}, проб: {box.samplesCount}
          </span>
          <NumberField
            label="Температура в контейнере"
            required
            unit="°C"
            value={temperature}
            error={errorOf('temperature')}
            onChange={setTemperature}
          />
          <TextInput
            label="Курьер"
            required
            maxLength={128}
            value={courier}
            error={errorOf('courier')}
            onChange={(event) => setCourier(event.currentTarget.value)}
          />
          {anyway && <Muted>Ещё раз «Отправить» — уйдёт с отметкой о температуре.</Muted>}
        </VStack>
      )}
    </ActionDialog>
  )
}
