import { Button, Group } from '@mantine/core'
import { IconAlertTriangle, IconLock, IconMapOff, IconPlugConnectedX, type TablerIcon } from '@tabler/icons-react'
import { Link, useParams, useRouter, useSearch } from '@tanstack/react-router'
import { asText } from '#base/redirect.ts'
import { useMaybeAccount } from '#base/session.ts'
import { usePageTitle } from '#base/title.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { StatePage } from '#kit/StatePage.tsx'
import classes from './ErrorPage.module.css'
import { Frame } from './Frame.tsx'

const known: Record<string, { icon: TablerIcon; title: string; text: string }> = {
  403: { icon: IconLock, title: 'Нет доступа', text: 'Вам не разрешено выполнять данное действие' },
  404: { icon: IconMapOff, title: 'Страница не найдена', text: 'Адрес введён с ошибкой, или страницу убрали.' },
  500: { icon: IconPlugConnectedX, title: 'Ошибка на сервере', text: 'Мы уже знаем о ней. Попробуйте ещё раз позже.' },
}

/** /error/{code}?errorText=…: available without sign-in; a signed-in user keeps the menu and the search. */
export default function ErrorPage() {
  const signedIn = useMaybeAccount() !== null
  return signedIn ? (
    <Frame>
      <Refusal />
    </Frame>
  ) : (
    <main className={classes.page}>
      <Refusal />
    </main>
  )
}

function Refusal() {
  const { code = '404' } = useParams({ strict: false }) as { code?: string }
  const errorText = asText((useSearch({ strict: false }) as { errorText?: unknown }).errorText)
  const { history } = useRouter()
  const kind = known[code] ?? { icon: IconAlertTriangle, title: 'Ошибка', text: 'Что-то пошло не так.' }
  usePageTitle(kind.title)
  return (
    <StatePage
      icon={kind.icon}
      title={kind.title}
      text={errorText ?? kind.text}
      actions={
        <Group justify="center">
          {history.canGoBack() && <ActionButton label="Назад" variant="default" onClick={() => history.back()} />}
          <Button renderRoot={(props) => <Link to="/" {...props} />}>На рабочий стол</Button>
        </Group>
      }
    >
      <div className={classes.code}>Код {code.slice(0, 12)}</div>
    </StatePage>
  )
}
