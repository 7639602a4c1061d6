import { type HubStats, socketCalls } from '@ordinator/model/socketCalls'
import { type Operation, operation } from '#records/operation.ts'

export const realtimeOperations = (stats: () => HubStats): readonly Operation[] => [operation(socketCalls.stats, stats)]
