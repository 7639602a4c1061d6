import { Move } from '@ordinator/model/areas/moving/move'
import { IconArrowsExchange, IconFileSearch, IconListCheck, IconScale } from '@tabler/icons-react'
import { Block, VStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { RecordField } from '#records/form/RecordField.tsx'
import { RecordForm } from '#records/RecordForm.tsx'
import sharedClasses from './Moving.module.css'
import classes from './NewMove.module.css'

const way = [
  {
    icon: IconFileSearch,
    title: 'Выгрузите таблицы',
    text: 'XLSX, CSV или DBF, как их отдаёт прежняя программа. Названия колонок подберутся сами.',
  },
  {
    icon: IconListCheck,
    title: 'Проверьте до загрузки',
    text: 'Репетиция покажет, что войдёт, что вызывает сомнения и какие суммы получатся.',
  },
  {
    icon: IconScale,
    title: 'Сверьте суммы',
    text: 'Долги, авансы, бонусы и сертификаты — те же, что были, по нашему учёту.',
  },
  {
    icon: IconArrowsExchange,
    title: 'Повторите в последний вечер',
    text: 'Та же таблица добавит и изменит только новое, ничего не задвоив.',
  },
]

/** Where the clinic comes from, and where its visits and balances go. */
export function NewMove({ onMade }: { onMade: () => void }) {
  return (
    <div className={classes.start}>
      <VStack component="ol" gap={16} className={classes.way} aria-label="Как проходит переезд">
        {way.map(({ icon: Icon, title, text }) => (
          <li key={title}>
            <Icon size={22} aria-hidden />
            <div>
              <h3 className={sharedClasses.title}>{title}</h3>
              <Muted>{text}</Muted>
            </div>
          </li>
        ))}
      </VStack>
      <Block framed p={20} component="section" aria-label="Начать переезд">
        <MoveForm onMade={onMade} />
      </Block>
    </div>
  )
}

export const MoveForm = ({ onMade }: { onMade: (id: number) => void }) => (
  <RecordForm
    entity={Move}
    initial={{ name: 'Переезд клиники' }}
    saveLabel="Начать переезд"
    onSaved={({ id }) => onMade(id)}
  >
    <RecordField name="program" />
    <RecordField name="idFilial" />
    <RecordField name="idOrganization" />
    <RecordField name="name" />
  </RecordForm>
)
