import { holds } from '@ordinator/model/access'
import { IconMicroscope } from '@tabler/icons-react'
import { PageLink } from '#base/PageLink.tsx'
import { useActor } from '#base/session.ts'
import { CountsCard } from '#kit/CountsCard.tsx'
import { useNow } from './reads.ts'

/** Dashboard block: pending work of the laboratory. */
export default function WorkBlock() {
  const actor = useActor()
  const answer = useNow()
  const { data } = answer
  const results = holds(actor, 'enterLabResults') || holds(actor, 'approveLabResults')
  return (
    <CountsCard
      title="Лаборатория"
      icon={<IconMicroscope size={18} />}
      answer={answer}
      none="Ни взять, ни проверить сейчас нечего."
      tiles={[
        {
          count: results ? data?.critical : 0,
          label: 'Критические без звонка',
          late: true,
          to: (face) => <PageLink page="labResults" {...face} />,
        },
        {
          count: data?.late,
          label: 'Просрочено заказов',
          late: true,
          to: (face) => <PageLink page="labOrders" search={{ late: true }} {...face} />,
        },
        {
          count: data?.toTake,
          label: 'Взять пробы',
          to: (face) => <PageLink page="labSamples" search={{ step: 'take' }} {...face} />,
        },
        {
          count: data?.retakes,
          label: 'Взять повторно',
          late: true,
          to: (face) => <PageLink page="labSamples" search={{ step: 'take' }} {...face} />,
        },
        {
          count: results ? data?.toEnter : 0,
          label: 'Внести значения',
          to: (face) => <PageLink page="labResults" search={{ stage: 'enter' }} {...face} />,
        },
        {
          count: results ? data?.toConfirm : 0,
          label: 'Подтвердить',
          to: (face) => <PageLink page="labResults" search={{ stage: 'medical' }} {...face} />,
        },
        {
          count: results ? data?.heldControls : 0,
          label: 'Контроль не принят',
          late: true,
          to: (face) => <PageLink page="labQuality" {...face} />,
        },
      ]}
    />
  )
}
