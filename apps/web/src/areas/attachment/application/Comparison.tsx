import { Checkbox, Table, VisuallyHidden } from '@mantine/core'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { IconUserCheck } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Notice } from '#areas/eln/index.ts'
import { api } from '#base/api.ts'
import { PageLink } from '#base/PageLink.tsx'
import { ActionButton } from '#kit/ActionButton.tsx'
import { notify } from '#kit/notify.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { useCan } from '#records/Can.tsx'
import { notifyFailure } from '#records/notifyFailure.ts'
import classes from '../Attachment.module.css'
import { type ApplicationRow, type State, toast, useFresh } from './state.ts'

/** Data of the application beside the card; differences can be chosen and copied to the card. */
export function Comparison({ one, state }: { one: ApplicationRow; state: State }) {
  const fresh = useFresh()
  const mayEdit = useCan('update', Customer)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const card = state.idCustomer ?? state.cards[0]?.id ?? null
  const isBound = state.idCustomer !== null
  const bind = useMutation({
    mutationFn: (body: { idCustomer?: number; fields: string[] }) =>
      api('POST /attachment/applications/:id/card', { params: { id: one.id }, body }, toast),
    onError: notifyFailure,
    onSuccess: async (_, { fields }) => {
      setChosen([])
      await fresh()
      notify.success(fields.length ? 'Карта обновлена' : 'Заявление связано с картой')
    },
  })
  const rows = state.differences
  return (
    <section aria-label="Заявление и карта">
      <HStack justify="space-between" wrap mb={8}>
        <h2 className={classes.title}>Заявление и карта</h2>
        {card !== null && (
          <PageLink page="customer" search={{ id: card }}>
            Открыть карту
          </PageLink>
        )}
      </HStack>
      {!isBound && state.cards.length > 0 && (
        <Notice icon={IconUserCheck} color="blue">
          <VStack gap={6}>
            <span>Похоже, карта уже есть:</span>
            {state.cards.map(({ id, fio, birthday, by }) => (
              <HStack key={id} wrap gap={8}>
                <span>
                  {fio}, {birthday ?? 'без даты рождения'} <Fine>по: {by}</Fine>
                </span>
                {mayEdit && (
                  <ActionButton
                    label="Это он(а)"
                    size="compact-sm"
                    variant="default"
                    loading={bind.isPending}
                    onClick={() => bind.mutate({ idCustomer: id, fields: [] })}
                  />
                )}
              </HStack>
            ))}
          </VStack>
        </Notice>
      )}
      {!isBound && mayEdit && (
        <HStack my={8}>
          <ActionButton
            label={state.cards.length ? 'Это другой человек: новая карта' : 'Завести карту по заявлению'}
            variant={state.cards.length ? 'subtle' : 'default'}
            loading={bind.isPending}
            onClick={() => bind.mutate({ fields: [] })}
          />
        </HStack>
      )}
      {rows.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard
        <section className={classes.scroll} tabIndex={0} aria-label="Заявление и карта: таблица">
          <Table miw={420} verticalSpacing={5} horizontalSpacing={8}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th w={36}>
                  <VisuallyHidden>Взять в карту</VisuallyHidden>
                </Table.Th>
                <Table.Th>Поле</Table.Th>
                <Table.Th>Заявление</Table.Th>
                <Table.Th>Карта</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map(({ field, label, application, card: there, differs }) => (
                <Table.Tr key={field} className={classes.row} data-differs={differs || undefined}>
                  <Table.Td>
                    {differs && isBound && mayEdit && (
                      <Checkbox
                        aria-label={`Взять в карту: ${label}`}
                        checked={chosen.includes(field)}
                        onChange={(event) =>
                          setChosen(
                            event.currentTarget.checked ? [...chosen, field] : chosen.filter((name) => name !== field),
                          )
                        }
                      />
                    )}
                  </Table.Td>
                  <Table.Td>
                    <Fine>{label}</Fine>
                  </Table.Td>
                  <Table.Td>{application ?? <Muted>—</Muted>}</Table.Td>
                  <Table.Td>{there ?? <Muted>—</Muted>}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </section>
      )}
      {isBound && mayEdit && rows.some(({ differs }) => differs) && (
        <HStack mt={8} wrap>
          <ActionButton
            label={chosen.length ? `Обновить карту (${chosen.length})` : 'Обновить карту'}
            disabled={chosen.length === 0}
            loading={bind.isPending}
            onClick={() => bind.mutate({ fields: [...chosen] })}
          />
          <ActionButton
            label="Выбрать всё, что отличается"
            variant="subtle"
            onClick={() => setChosen(rows.filter(({ differs }) => differs).map(({ field }) => field))}
          />
        </HStack>
      )}
    </section>
  )
}
