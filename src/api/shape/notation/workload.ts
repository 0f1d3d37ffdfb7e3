/** Metadata, workloads, budgets and leases. In the notation that `shape/parse.ts` reads. */
export const workloadNotation = `
ObjectMeta: annotations:{s}@12 creationTimestamp:t@8 deletionGracePeriodSeconds:i@10*
  deletionTimestamp:t@9* finalizers:[s]+~@14 generateName@2 generation:i@7 labels:{s}@11
  managedFields:[ManagedFieldsEntry]@17 name@1 namespace@3
  ownerReferences:[OwnerReference]=uid~@13 resourceVersion@6 selfLink@4 uid@5
ManagedFieldsEntry: apiVersion@3 fieldsType@6 fieldsV1:j@7* manager@1 operation@2 subresource@8
  time:t@4*
OwnerReference!: apiVersion@5 blockOwnerDeletion:b@7* controller:b@6* kind@1 name@3 uid@4
LabelSelector!: matchExpressions:[LabelSelectorRequirement]@2 matchLabels:{s}@1
LabelSelectorRequirement: key@1 operator@2 values:[s]@3
FieldSelectorRequirement: key@1 operator@2 values:[s]@3
Condition: lastTransitionTime:t@4 message@6 observedGeneration:i@3 reason@5 status@2 type@1
DeleteOptions: apiVersion dryRun:[s]@5 gracePeriodSeconds:i@1*
  ignoreStoreReadErrorWithClusterBreakingPotential:b@6* kind orphanDependents:b@3*
  preconditions:Preconditions@2* propagationPolicy@4*
Preconditions: resourceVersion@2* uid@1*
ControllerRevision: data:j@2 metadata:ObjectMeta@1 revision:i@3
DaemonSet: metadata:ObjectMeta@1 spec:DaemonSetSpec@2 status:DaemonSetStatus@3
DaemonSetSpec: minReadySeconds:i@4 revisionHistoryLimit:i@6* selector:LabelSelector@1*
  template:PodTemplateSpec@2 updateStrategy:DaemonSetUpdateStrategy@3
DaemonSetUpdateStrategy: rollingUpdate:RollingUpdateDaemonSet@2* type@1
RollingUpdateDaemonSet: maxSurge:x@2* maxUnavailable:x@1*
DaemonSetStatus: collisionCount:i@9* conditions:[DaemonSetCondition]=type~@10
  currentNumberScheduled:i@1 desiredNumberScheduled:i@3 numberAvailable:i@7 numberMisscheduled:i@2
  numberReady:i@4 numberUnavailable:i@8 observedGeneration:i@5 updatedNumberScheduled:i@6
DaemonSetCondition: lastTransitionTime:t@3 message@5 reason@4 status@2 type@1
Deployment: metadata:ObjectMeta@1 spec:DeploymentSpec@2 status:DeploymentStatus@3
DeploymentSpec: minReadySeconds:i@5 paused:b@7 progressDeadlineSeconds:i@9* replicas:i@1*
  revisionHistoryLimit:i@6* selector:LabelSelector@2* strategy:DeploymentStrategy^@4
  template:PodTemplateSpec@3
DeploymentStrategy: rollingUpdate:RollingUpdateDeployment@2* type@1
RollingUpdateDeployment: maxSurge:x@2* maxUnavailable:x@1*
DeploymentStatus: availableReplicas:i@4 collisionCount:i@8*
  conditions:[DeploymentCondition]=type~@6 observedGeneration:i@1 readyReplicas:i@7 replicas:i@2
  terminatingReplicas:i@9* unavailableReplicas:i@5 updatedReplicas:i@3
DeploymentCondition: lastTransitionTime:t@7 lastUpdateTime:t@6 message@5 reason@4 status@2 type@1
ReplicaSet: metadata:ObjectMeta@1 spec:ReplicaSetSpec@2 status:ReplicaSetStatus@3
ReplicaSetSpec: minReadySeconds:i@4 replicas:i@1* selector:LabelSelector@2*
  template:PodTemplateSpec@3
ReplicaSetStatus: availableReplicas:i@5 conditions:[ReplicaSetCondition]=type~@6
  fullyLabeledReplicas:i@2 observedGeneration:i@3 readyReplicas:i@4 replicas:i@1
  terminatingReplicas:i@7*
ReplicaSetCondition: lastTransitionTime:t@3 message@5 reason@4 status@2 type@1
StatefulSet: metadata:ObjectMeta@1 spec:StatefulSetSpec@2 status:StatefulSetStatus@3
StatefulSetSpec: minReadySeconds:i@9 ordinals:StatefulSetOrdinals@11*
  persistentVolumeClaimRetentionPolicy:StatefulSetPersistentVolumeClaimRetentionPolicy@10*
  podManagementPolicy@6 replicas:i@1* revisionHistoryLimit:i@8* selector:LabelSelector@2*
  serviceName@5 template:PodTemplateSpec@3 updateStrategy:StatefulSetUpdateStrategy@7
  volumeClaimTemplates:[PersistentVolumeClaim]@4
StatefulSetOrdinals: start:i@1
StatefulSetPersistentVolumeClaimRetentionPolicy: whenDeleted@1 whenScaled@2
StatefulSetUpdateStrategy: rollingUpdate:RollingUpdateStatefulSetStrategy@2* type@1
RollingUpdateStatefulSetStrategy: maxUnavailable:x@2* partition:i@1*
StatefulSetStatus: availableReplicas:i@11 collisionCount:i@9*
  conditions:[StatefulSetCondition]=type~@10 currentReplicas:i@4 currentRevision@6
  observedGeneration:i@1 readyReplicas:i@3 replicas:i@2 updateRevision@7 updatedReplicas:i@5
StatefulSetCondition: lastTransitionTime:t@3 message@5 reason@4 status@2 type@1
CronJob: metadata:ObjectMeta@1 spec:CronJobSpec@2 status:CronJobStatus@3
CronJobSpec: concurrencyPolicy@3 failedJobsHistoryLimit:i@7* jobTemplate:JobTemplateSpec@5
  schedule@1 startingDeadlineSeconds:i@2* successfulJobsHistoryLimit:i@6* suspend:b@4* timeZone@8*
JobTemplateSpec: metadata:ObjectMeta@1 spec:JobSpec@2
JobSpec: activeDeadlineSeconds:i@3* backoffLimit:i@7* backoffLimitPerIndex:i@12* completionMode@9*
  completions:i@2* managedBy@15* manualSelector:b@5* maxFailedIndexes:i@13* parallelism:i@1*
  podFailurePolicy:PodFailurePolicy@11* podReplacementPolicy@14* selector:LabelSelector@4*
  successPolicy:SuccessPolicy@16* suspend:b@10* template:PodTemplateSpec@6
  ttlSecondsAfterFinished:i@8*
PodFailurePolicy: rules:[PodFailurePolicyRule]@1
PodFailurePolicyRule: action@1 onExitCodes:PodFailurePolicyOnExitCodesRequirement@2*
  onPodConditions:[PodFailurePolicyOnPodConditionsPattern]@3
PodFailurePolicyOnExitCodesRequirement: containerName@1* operator@2 values:[i]+@3
PodFailurePolicyOnPodConditionsPattern: status@2 type@1
SuccessPolicy: rules:[SuccessPolicyRule]@1
SuccessPolicyRule: succeededCount:i@2* succeededIndexes@1*
CronJobStatus: active:[ObjectReference]@1 lastScheduleTime:t@4* lastSuccessfulTime:t@5*
Job: metadata:ObjectMeta@1 spec:JobSpec@2 status:JobStatus@3
JobStatus: active:i@4 completedIndexes@7 completionTime:t@3* conditions:[JobCondition]~type@1
  failed:i@6 failedIndexes@10* ready:i@9* startTime:t@2* succeeded:i@5 terminating:i@11*
  uncountedTerminatedPods:UncountedTerminatedPods@8*
JobCondition: lastProbeTime:t@3 lastTransitionTime:t@4 message@6 reason@5 status@2 type@1
UncountedTerminatedPods: failed:[s]+@2 succeeded:[s]+@1
Eviction: deleteOptions:DeleteOptions@2* metadata:ObjectMeta@1
PodDisruptionBudget: metadata:ObjectMeta@1 spec:PodDisruptionBudgetSpec@2
  status:PodDisruptionBudgetStatus@3
PodDisruptionBudgetSpec: maxUnavailable:x@3* minAvailable:x@1* selector:LabelSelector@2*
  unhealthyPodEvictionPolicy@4*
PodDisruptionBudgetStatus: conditions:[Condition]=type~@7 currentHealthy:i@4 desiredHealthy:i@5
  disruptedPods:{t}@2 disruptionsAllowed:i@3 expectedPods:i@6 observedGeneration:i@1
Lease: metadata:ObjectMeta@1 spec:LeaseSpec@2
LeaseSpec: acquireTime:u@3* holderIdentity@1* leaseDurationSeconds:i@2* leaseTransitions:i@5*
  preferredHolder@7* renewTime:u@4* strategy@6*
Scale: metadata:ObjectMeta@1 spec:ScaleSpec@2 status:ScaleStatus@3
ScaleSpec: replicas:i@1
ScaleStatus: replicas:i@1 selector@2
PriorityClass: description@4 globalDefault:b@3 metadata:ObjectMeta@1 preemptionPolicy@5* value:i@2
NewEvent: action@6 deprecatedCount:i@15 deprecatedFirstTimestamp:t@13 deprecatedLastTimestamp:t@14
  deprecatedSource:EventSource@12 eventTime:u@2 metadata:ObjectMeta@1 note@10 reason@7
  regarding:ObjectReference@8 related:ObjectReference@9* reportingController@4 reportingInstance@5
  series:NewEventSeries@3* type@11
NewEventSeries: count:i@1 lastObservedTime:u@2
`;
