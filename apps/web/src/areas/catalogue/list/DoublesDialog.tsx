import { Radio } from '@mantine/core'
import { Service } from '@ordinator/model/areas/catalogue/service'
import { counted, formatMoney } from '@ordinator/model/format'
import { IconArrowBackUp, IconArrowMerge } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Answer, api } from '#base/api.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { Dialog } from '#kit/Dialog.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { notifyFailure } from '#records/notifyFailure.ts'

type Doubles = Answer<'GET /services/doubles'>
type Double = Doubles['groups'][number]['services'][number]

const key = ['records', Service.path, 'doubles']

function useChange<A>(run: (asked: A) => Promise<unknown>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: run,
    onError: notifyFailure,
    onSettled: () => {
      void invalidateRecords(cache, Service.path)
      void cache.invalidateQueries({ queryKey: key })
    },
  })
}

/** Services that were made twice: the one to stay is chosen, the others are joined to it. */
export function DoublesDialog({ onClose }: { onClose: () => void }) {
  const found = useQuery({ queryKey: key, queryFn: ({ signal }) => api('GET /services/doubles', {}, { signal }) })
  const undo = useChange((id: number) => api('POST /services/joins/:id/undo', { params: { id } }))
  return (
    <Dialog title="Одинаковые услуги" onClose={onClose} size="lg">
      {found.isError && !found.data ? (
        <ErrorState title="Список не получен" error={found.error} onRetry={() => void found.refetch()} />
      ) : !found.data ? (
        <LinesSkeleton lines={6} />
      ) : (
        <VStack gap={16}>
          {found.data.groups.length === 0 ? (
            <EmptyState
              title="Одинаковых услуг нет"
              text="Названия сравниваются без регистра, ё, знаков и кода 804н."
            />
          ) : (
            found.data.groups.map(({ services }) => (
              <Group key={services.map(({ id }) => id).join()} services={services} />
            ))
          )}
          {found.data.joined.length > 0 && (
            <section aria-label="Недавно объединённые">
              <Muted>Недавно объединены</Muted>
              <VStack gap={4} component="ul">
                {found.data.joined.map(({ id, kept, merged }) => (
                  <HStack key={id} component="li" justify="space-between" gap={12}>
                    <span>{merged === kept ? kept : `${merged} → ${kept}`}</span>
                    <ActionButton
                      label="Разъединить"
                      size="compact-sm"
                      variant="subtle"
                      icon={IconArrowBackUp}
                      loading={undo.isPending}
                      onClick={() => undo.mutate(id)}
                    />
                  </HStack>
                ))}
              </VStack>
            </section>
          )}
        </VStack>
      )}
    </Dialog>
  )
}

function Group({ services }: { services: readonly Double[] }) {
  const [kept, setKept] = useState(String(services[0]?.id))
  const join = useChange(async (idKept: number) => {
    for (const { id } of services)
      if (id !== idKept) await api('POST /services/:id/join', { params: { id: idKept }, body: { idMerged: id } })
  })
  return (
    <Block framed p={12}>
      <HStack justify="space-between" align="flex-end" gap={12} wrap>
        <Radio.Group label="Остаётся" value={kept} onChange={setKept}>
          <VStack gap={6} mt={6}>
            {services.map(({ id, name, code, price, performers, visits }) => (
              <Radio
                key={id}
                value={String(id)}
                label={
                  <>
                    {name}{' '}
                    <Fine>
                      {[
                        code,
                        price === null ? 'без цены' : formatMoney(price),
                        performers
                          ? counted(performers, ['исполнитель', 'исполнителя', 'исполнителей'])
                          : 'без исполнителей',
                        visits ? counted(visits, ['запись', 'записи', 'записей']) : '',
                      ]
                        .filter(Boolean)
                        .join(' · ')}
                    </Fine>
                  </>
                }
              />
            ))}
          </VStack>
        </Radio.Group>
        <ActionButton
          label="Объединить"
          icon={IconArrowMerge}
          loading={join.isPending}
          onClick={() => join.mutate(Number(kept))}
        />
      </HStack>
    </Block>
  )
}
