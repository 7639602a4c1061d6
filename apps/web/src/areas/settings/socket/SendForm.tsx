import { Autocomplete, JsonInput, TextInput } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { Block, HStack, Tiles, VStack } from '#kit/Stacks.tsx'
import { submitOnEnter } from '#kit/submitOnEnter.ts'
import { Fine } from '#kit/Words.tsx'
import { socket } from '#realtime/connection.ts'
import classes from './Socket.module.css'
import { readData } from './traffic.ts'
import { useSocketFacts } from './useSocketFacts.ts'

const examples: Record<string, string> = {
  ping: '',
  addListener: '{ "path": "users" }',
  addListeners: '{ "listeners": [{ "path": "users" }] }',
  removeListener: '{ "path": "users" }',
}

/** Sends any message manually. */
export function SendForm() {
  const { state } = useSocketFacts()
  const [controller, setController] = useState('system')
  const [action, setAction] = useState('ping')
  const [data, setData] = useState('')
  const [tried, setTried] = useState(false)
  const read = readData(data)
  const required = (value: string) => (tried && value.trim() === '' ? 'Обязательное поле' : undefined)

  const choose = (next: string) => {
    const untouched = data.trim() === '' || Object.values(examples).includes(data)
    if (untouched && Object.hasOwn(examples, next)) setData(examples[next] ?? '')
    setAction(next)
  }
  const send = () => {
    setTried(true)
    if (!read.ok || controller.trim() === '' || action.trim() === '') return
    socket.send({ controller: controller.trim(), action: action.trim(), data: read.data })
    setTried(false)
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    send()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      send()
    }
  }
  return (
    <Block component="section" framed p={16} miw={0} aria-labelledby="socket-send">
      <h2 id="socket-send" className={classes.heading}>
        Отправить сообщение
      </h2>
      <VStack component="form" gap={12} onSubmit={onSubmit} onKeyDown={onKeyDown} noValidate>
        <Tiles tile={128} fit gap={12}>
          <TextInput
            label="Контроллер"
            value={controller}
            onChange={(event) => setController(event.currentTarget.value)}
            error={required(controller)}
          />
          <Autocomplete
            label="Действие"
            data={Object.keys(examples)}
            value={action}
            onChange={choose}
            onKeyDown={submitOnEnter}
            error={required(action)}
          />
        </Tiles>
        <JsonInput
          label="Данные"
          description="Объект JSON; пусто — без данных"
          value={data}
          onChange={setData}
          error={tried && !read.ok ? read.message : undefined}
          validationError={read.ok ? undefined : read.message}
          formatOnBlur
          autosize
          minRows={3}
          maxRows={12}
          classNames={{ input: classes.code }}
        />
        <HStack gap="8px 12px" wrap>
          <ActionButton label="Отправить" type="submit" icon={IconSend} />
          {state !== 'open' && <Fine className="breaks">Уйдёт, когда соединение откроется</Fine>}
        </HStack>
      </VStack>
    </Block>
  )
}
