import { UnstyledButton } from '@mantine/core'
import { startKits } from '@ordinator/model/areas/start/kits'
import { counted } from '@ordinator/model/format'
import { IconCheck, IconChevronRight } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import { type Answer, api } from '#base/api.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { notify } from '#kit/notify.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import classes from './StartPage.module.css'

type Kit = Answer<'GET /start/kits'>['kits'][number]

const KEY = ['start', 'kits']
const services = ['услуга', 'услуги', 'услуг'] as const

/** Starter sets by kind of clinic: preview, take, remove. */
export function Kits() {
  const cache = useQueryClient()
  const { data } = useQuery({ queryKey: KEY, queryFn: ({ signal }) => api('GET /start/kits', {}, { signal }) })
  const [shown, setShown] = useState<Kit>()
  const again = () => cache.invalidateQueries()
  const take = async ({ key }: Kit) => {
    const { added } = await api('POST /start/kits/:kit', { params: { kit: key } })
    notify.success(added ? `Добавлено записей: ${added}. Осталось вписать цены` : 'Всё из набора уже есть')
    await again()
  }
  const drop = async ({ key }: Kit) => {
    const { removed } = await api('DELETE /start/kits/:kit', { params: { kit: key } })
    notify.success(`Убрано записей: ${removed}`)
    await again()
  }
  return (
    <Block framed component="section" p={12} aria-label="Готовые наборы">
      <h2 className={classes.heading}>Готовые наборы</h2>
      <Muted component="p" mb={8}>
        Услуги с длительностью, осмотры и согласия по виду клиники. Цены впишете свои.
      </Muted>
      {data ? (
        data.kits.map((kit) => (
          <UnstyledButton key={kit.key} className={classes.kit} onClick={() => setShown(kit)}>
            <span>
              {startKits[kit.key]}
              <Fine component="div">{kit.taken ? 'Добавлен' : counted(kit.services.length, services)}</Fine>
            </span>
            {kit.taken ? <IconCheck size={18} aria-hidden /> : <IconChevronRight size={18} aria-hidden />}
          </UnstyledButton>
        ))
      ) : (
        <LinesSkeleton lines={6} />
      )}
      {shown && <Preview kit={shown} onTake={take} onDrop={drop} onClose={() => setShown(undefined)} />}
    </Block>
  )
}

interface PreviewProps {
  kit: Kit
  onTake: (kit: Kit) => Promise<void>
  onDrop: (kit: Kit) => Promise<void>
  onClose: () => void
}

function Preview({ kit, onTake, onDrop, onClose }: PreviewProps) {
  const groups = [...new Set(kit.services.map(({ group }) => group))]
  const beside = [
    ['Специальности', kit.specialities],
    ['Шаблоны осмотров', kit.examinations],
    ['Согласия', kit.consents],
  ] as const
  return (
    <ActionDialog
      title={`Набор «${startKits[kit.key]}»`}
      size="lg"
      action={kit.taken ? 'Убрать набор' : 'Добавить набор'}
      danger={kit.taken > 0}
      run={() => (kit.taken ? onDrop(kit) : onTake(kit))}
      onClose={onClose}
    >
      <VStack gap={12}>
        {kit.taken > 0 && (
          <Muted>
            Всё, что завёл набор, уйдёт в корзину вместе с ценами. Если чем-то из него уже пользуются, не уберётся
            ничего.
          </Muted>
        )}
        {beside.map(([title, names]) =>
          names.length ? (
            <div key={title}>
              <Muted>{title}: </Muted>
              {names.join(', ')}
            </div>
          ) : null,
        )}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys */}
        <section className={classes.list} tabIndex={0} aria-label="Услуги набора">
          <table>
            <tbody>
              {groups.map((group) => (
                <Fragment key={group}>
                  <tr>
                    <th colSpan={2} scope="rowgroup">
                      {group}
                    </th>
                  </tr>
                  {kit.services
                    .filter((one) => one.group === group)
                    .map(({ name, code, minutes }) => (
                      <tr key={name}>
                        <td>
                          {name} {code && <Fine>{code}</Fine>}
                        </td>
                        <td className="tabular">{minutes} мин</td>
                      </tr>
                    ))}
                </Fragment>
              ))}
            </tbody>
          </table>
        </section>
      </VStack>
    </ActionDialog>
  )
}
