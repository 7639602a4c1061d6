import { Radio, Select, Textarea, TextInput } from '@mantine/core'
import { LabAnalyte } from '@ordinator/model/areas/laboratory/catalogue'
import { LabDeviceCode, LabDeviceWord, LabStray, strayReasons } from '@ordinator/model/areas/laboratory/device'
import type { Expanded } from '@ordinator/model/client'
import type { Row } from '@ordinator/model/entity'
import { counted } from '@ordinator/model/format'
import { IconTrash } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { FormDialog } from '#kit/FormDialog.tsx'
import { notify } from '#kit/notify.tsx'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { useCan } from '#records/Can.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { notifyFailure } from '#records/notifyFailure.ts'
import { asRows, useList, useRecord } from '#records/reads.ts'
import sharedClasses from '../Laboratory.module.css'
import wordsClasses from '../words.module.css'
import { TableFrame } from '../words.tsx'
import classes from './strays.module.css'

const MAX_STRAYS = 100

/** Unrecognized data of devices, to resolve by an employee. */
export function Strays() {
  const cache = useQueryClient()
  const [settling, setSettling] = useState<Expanded<typeof LabStray, 'device'>>()
  const [meaning, setMeaning] = useState<Expanded<typeof LabStray, 'device'>>()
  const mayEdit = useCan('update', LabStray)
  const mayMap = useCan('create', LabDeviceWord)
  const list = useList(
    LabStray,
    { filter: { status: 'open' }, expand: ['device'], sort: '-id', limit: MAX_STRAYS },
    { forbidden: 'silent' },
  )
  const rows = asRows<Expanded<typeof LabStray, 'device'>>(list.data?.items)
  const drop = useMutation({
    mutationFn: (id: number) =>
      api('POST /laboratory/strays/:id/settle', { params: { id }, body: { drop: true } }, { forbidden: 'toast' }),
    onError: notifyFailure,
    onSuccess: () => invalidateRecords(cache, LabStray.path),
  })
  useRevealDelay(list.isPending)
  if (rows.length === 0) return null
  return (
    <section className={sharedClasses.panel} aria-label="Неразобранное">
      <h2 className={sharedClasses.panelTitle}>
        Не разобрано <Muted>{rows.length}</Muted>
      </h2>
      <TableFrame label="Не разобрано: таблица">
        <table className={`${sharedClasses.table} ${classes.strays}`}>
          <thead>
            <tr>
              <th>Когда</th>
              <th>Анализатор</th>
              <th>Почему</th>
              <th>Пробирка</th>
              <th>Код</th>
              <th className={sharedClasses.number}>Значение</th>
              <th>
                <span className={wordsClasses.spoken}>Действия</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((stray) => (
              <tr key={stray.id}>
                <td className="tabular nowrap">{formatDateTime(stray.dateCreate)}</td>
                <td>{stray.device?.name ?? 'Партнёр'}</td>
                <td>
                  {strayReasons[stray.reason]}
                  {stray.times > 1 && <Muted> × {stray.times}</Muted>}
                  {stray.note && <Fine component="div">{stray.note}</Fine>}
                </td>
                <td className="tabular">{stray.barcode}</td>
                <td className="tabular">{stray.code}</td>
                <td className={sharedClasses.number}>
                  {stray.value} <Muted>{stray.unit}</Muted>
                  {stray.preliminary && <Fine component="div">предварительное</Fine>}
                </td>
                <td>
                  {mayEdit && (
                    <HStack gap={6} justify="flex-end">
                      {mayMap && stray.reason === 'form' && stray.idCode !== null && stray.value && (
                        <ActionButton
                          label="Что это значит"
                          size="compact-sm"
                          variant="default"
                          onClick={() => setMeaning(stray)}
                        />
                      )}
                      {stray.value && (
                        <ActionButton
                          label="Разобрать"
                          size="compact-sm"
                          variant="default"
                          onClick={() => setSettling(stray)}
                        />
                      )}
                      <ActionButton
                        label="Не нужно"
                        size="compact-sm"
                        variant="subtle"
                        icon={IconTrash}
                        onClick={() => drop.mutate(stray.id)}
                      />
                    </HStack>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
      {meaning && <MeaningDialog stray={meaning} onClose={() => setMeaning(undefined)} />}
      {settling && <SettleDialog stray={settling} onClose={() => setSettling(undefined)} />}
    </section>
  )
}

function SettleDialog({ stray, onClose }: { stray: Row<typeof LabStray>; onClose: () => void }) {
  const cache = useQueryClient()
  const needsValue = stray.reason === 'unit'
  return (
    <FormDialog
      title="Отнести значение к пробе"
      action="Записать"
      draft={{ barcode: '', idAnalyte: null as number | null, value: '', reason: '' }}
      required={{
        barcode: 'Отсканируйте пробирку',
        idAnalyte: 'Выберите показатель',
        reason: 'Укажите, почему значение относится к этой пробирке',
      }}
      faults={({ value }) => ({ value: needsValue && !value.trim() && 'Пересчитайте в единицу показателя' })}
      onClose={onClose}
      send={async ({ value, ...known }) => {
        await api(
          'POST /laboratory/strays/:id/settle',
          { params: { id: stray.id }, body: { ...known, value: value || undefined } },
          { forbidden: 'toast' },
        )
        await invalidateRecords(cache, LabStray.path)
        notify.success('Значение записано как полученное: его ещё проверят')
      }}
    >
      {({ text, value }) => (
        <VStack gap={12}>
          <span>
            Прибор прислал <b>{stray.value}</b> {stray.unit} по коду {stray.code}
            {stray.barcode && `, пробирка ${stray.barcode}`}: {strayReasons[stray.reason].toLowerCase()}. Программа не
            угадывает: укажите, чьё это и что это.
          </span>
          <TextInput label="Пробирка" data-autofocus maxLength={12} {...text('barcode')} />
          <RefSelect to={LabAnalyte.path} label="Показатель" {...value('idAnalyte')} />
          <TextInput
            label="Значение в единице показателя"
            required={needsValue}
            description={needsValue ? undefined : 'Пусто — значение прибора, пересчитанное по его коду'}
            placeholder={stray.value ?? undefined}
            maxLength={1000}
            {...text('value')}
          />
          <Textarea
            label="Почему оно отсюда"
            description="Останется рядом со значением"
            autosize
            minRows={2}
            maxLength={500}
            {...text('reason')}
          />
        </VStack>
      )}
    </FormDialog>
  )
}

/** A word of the device gets its meaning: a value of the analyte's list, or that there is no result. */
function MeaningDialog({ stray, onClose }: { stray: Row<typeof LabStray>; onClose: () => void }) {
  const cache = useQueryClient()
  const [kind, setKind] = useState<'value' | 'none'>('value')
  const [value, setValue] = useState<string | null>(null)
  const code = useRecord(LabDeviceCode, stray.idCode ?? undefined, { expand: ['analyte'] })
  const { analyte } = (code.data ?? {}) as Partial<Expanded<typeof LabDeviceCode, 'analyte'>>
  const full = useRecord(LabAnalyte, analyte?.id)
  const choices = full.data?.choices ?? []
  return (
    <ActionDialog
      title={`Что значит «${stray.value}»`}
      action="Запомнить и разобрать"
      faults={{ value: kind === 'value' && !value && 'Выберите значение из списка показателя' }}
      onClose={onClose}
      run={async () => {
        const { results } = await api(
          'POST /laboratory/strays/:id/mean',
          { params: { id: stray.id }, body: kind === 'none' ? { none: true } : { value: value as string } },
          { forbidden: 'toast' },
        )
        await invalidateRecords(cache, LabStray.path)
        await invalidateRecords(cache, LabDeviceWord.path)
        notify.success(`Слово запомнено. Принято ${counted(results, ['значение', 'значения', 'значений'])}`)
      }}
    >
      {(errorOf) => (
        <VStack gap={12}>
          <span>
            Так прибор ответил по коду {stray.code}
            {full.data && ` («${full.data.name}»)`}. Дальше программа будет понимать это слово сама.
          </span>
          <Radio.Group value={kind} onChange={(next) => setKind(next as 'value' | 'none')} aria-label="Что это значит">
            <VStack gap={8}>
              <Radio value="value" label="Значение из списка показателя" />
              <Radio value="none" label="Результата нет: измерить не удалось" />
            </VStack>
          </Radio.Group>
          {kind === 'value' &&
            (choices.length > 0 ? (
              <Select
                label="Значение"
                required
                data={choices.map((one) => one.value)}
                value={value}
                error={errorOf('value')}
                onChange={setValue}
              />
            ) : (
              <Muted>У показателя нет списка значений: добавьте варианты в «Показателях и нормах».</Muted>
            ))}
        </VStack>
      )}
    </ActionDialog>
  )
}
