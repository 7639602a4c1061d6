import { Alert } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import type { Answer } from '#base/api.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { Dialog } from '#kit/Dialog.tsx'
import { Printed } from '#kit/Printed.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import classes from './Slips.module.css'

type Given = Answer<'POST /users/slips'>

/** Slips with temporary passwords, one per person, to cut apart. Not stored in plain text. */
export function Slips({ given, onClose }: { given: Given; onClose: () => void }) {
  const { slips, passed } = given
  return (
    <Dialog onClose={onClose} closeOnClickOutside={false} title="Листки с паролями" size="lg">
      <VStack gap={16}>
        {slips.length > 0 && (
          <Muted>
            Пароли показаны один раз. Напечатайте листки и раздайте: после входа каждого попросят сменить пароль.
          </Muted>
        )}
        {passed.length > 0 && (
          <Alert variant="light">Уже входили, их пароли остались прежними: {passed.join(', ')}</Alert>
        )}
        <Sheets slips={slips} />
        <HStack wrap>
          {slips.length > 0 && (
            <ActionButton label="Напечатать" icon={IconPrinter} data-autofocus onClick={() => window.print()} />
          )}
          <ActionButton label="Готово" variant="default" onClick={onClose} />
        </HStack>
      </VStack>
      <Printed className={classes.print}>{() => <Sheets slips={slips} />}</Printed>
    </Dialog>
  )
}

function Sheets({ slips }: Pick<Given, 'slips'>) {
  return (
    <div className={classes.sheets}>
      {slips.map(({ id, fio, post, login, password }) => (
        <div key={id} className={classes.slip}>
          <strong>{fio}</strong>
          {post && <div>{post}</div>}
          <div>
            Логин: <code>{login}</code>
          </div>
          <div>
            Пароль: <code>{password}</code>
          </div>
          <div className={classes.address}>{location.origin}/app</div>
        </div>
      ))}
    </div>
  )
}
