import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useMaybeAccount } from '#base/session.ts'
import { socketWanted, startRealtime } from './connection.ts'

/** Keeps the websocket and presence running while a user is signed in. Used once, in the frame of the pages. */
export function Realtime() {
  const client = useQueryClient()
  const account = useMaybeAccount()
  const idUser = account?.user.identity.id
  const websocket = account !== null && socketWanted(account.common.settings)
  useEffect(() => {
    if (idUser === undefined) return
    return startRealtime(client, idUser, websocket)
  }, [client, idUser, websocket])
  return null
}
