/** A program for readInProcess that answers how its process is served. */
import { getPriority } from 'node:os'
import { answerReading } from '../platform/answerReading.ts'
import { sessionPriority } from './sessionPriority.ts'

answerReading((file) => ({ priority: getPriority(), session: sessionPriority(process.pid), bytes: file.length }))
