import { numberText, Sequence } from '@ordinator/model/areas/filials/sequence'
import type { Row } from '@ordinator/model/entity'
import { IconPencil } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { WayTo } from '#base/WayTo.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { today } from '#kit/clock.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { notify } from '#kit/notify.tsx'
import { Block, HStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { type Branch, type NextNumber, nextNumbers } from './nextNumbers.ts'

interface Props {
  sequence: Row<typeof Sequence>
  branches: readonly Branch[]
}

/** Next number of each counter, with a way to change it. */
export function NextNumbers({ sequence, branches }: Props) {
  const [asked, setAsked] = useState<NextNumber>()
  const all = nextNumbers(sequence, branches)
  if (all.length === 0)
    return (
      <EmptyState
        title="Нет филиалов с кодом"
        text="Код филиала стоит в номере: задайте его в данных филиала"
        action={<WayTo page="filials" label="К филиалам" />}
      />
    )
  const shown = sequence.perFilial ? all : all.slice(0, 1)
  return (
    <>
      <Fine component="p" mb={8}>
        Номера выдаются по порядку и без пропусков. Начать с другого номера нужно, если раньше документы нумеровали не
        здесь.
      </Fine>
      <Block component="ul" framed>
        {shown.map((one) => (
          <HStack key={one.branch?.id ?? 0} component="li" px={12} mih={44} rule={one === all[0] ? undefined : 'top'}>
            <Block grow>{sequence.perFilial ? one.branch?.nameFilial : 'Вся клиника'}</Block>
            <strong className="tabular">{one.text}</strong>
            <IconButton
              icon={IconPencil}
              label={`Начать с другого номера: ${sequence.perFilial ? one.branch?.nameFilial : 'вся клиника'}`}
              onClick={() => setAsked(one)}
            />
          </HStack>
        ))}
      </Block>
      {asked && <NextDialog sequence={sequence} asked={asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}

interface DialogProps {
  sequence: Row<typeof Sequence>
  asked: NextNumber
  onClose: () => void
}

function NextDialog({ sequence, asked: { branch, next }, onClose }: DialogProps) {
  const cache = useQueryClient()
  const [wanted, setWanted] = useState<number | string | null>(next)
  const number = typeof wanted === 'number' ? wanted : next
  const idFilial = branch?.id ?? null
  return (
    <ActionDialog
      title="Начать с другого номера"
      action="Сохранить"
      disabled={typeof wanted !== 'number' || wanted === next}
      run={async () => {
        await api(
          'PUT /sequences/:id/next',
          { params: { id: sequence.id }, body: { idFilial, next: number } },
          { forbidden: 'toast' },
        )
        await invalidateRecords(cache, Sequence.path)
        notify.success('Следующий номер изменён')
      }}
      onClose={onClose}
    >
      {(errorOf) => (
        <NumberField
          label={branch && sequence.perFilial ? `Следующий номер, ${branch.nameFilial}` : 'Следующий номер'}
          description={`Будет: ${numberText(sequence.mask, { filial: branch?.filialCode ?? '', day: today(), number })}`}
          value={wanted}
          onChange={setWanted}
          error={errorOf('next') ?? errorOf('idFilial')}
          data-autofocus
        />
      )}
    </ActionDialog>
  )
}
