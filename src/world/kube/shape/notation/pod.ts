/** Pods, their templates and their status. In the notation that `shape/parse.ts` reads. */
export const podNotation = `
PodTemplateSpec: metadata:ObjectMeta spec:PodSpec
PodSpec: activeDeadlineSeconds:i affinity:Affinity automountServiceAccountToken:b
  containers:[Container]=name~ dnsConfig:PodDNSConfig dnsPolicy enableServiceLinks:b
  ephemeralContainers:[EphemeralContainer]=name~ hostAliases:[HostAlias]=ip~ hostIPC:b
  hostNetwork:b hostPID:b hostUsers:b hostname hostnameOverride
  imagePullSecrets:[LocalObjectReference]=name~ initContainers:[Container]=name~ nodeName
  nodeSelector:{s}! os:PodOS overhead:{q} preemptionPolicy priority:i priorityClassName
  readinessGates:[PodReadinessGate] resourceClaims:[PodResourceClaim]=name~^
  resources:ResourceRequirements restartPolicy runtimeClassName schedulerName
  schedulingGates:[PodSchedulingGate]=name~ schedulingGroup:PodSchedulingGroup
  securityContext:PodSecurityContext serviceAccount serviceAccountName setHostnameAsFQDN:b
  shareProcessNamespace:b subdomain terminationGracePeriodSeconds:i tolerations:[Toleration]
  topologySpreadConstraints:[TopologySpreadConstraint]=topologyKey,whenUnsatisfiable~topologyKey
  volumes:[Volume]=name~^
Affinity: nodeAffinity:NodeAffinity podAffinity:PodAffinity podAntiAffinity:PodAntiAffinity
NodeAffinity: preferredDuringSchedulingIgnoredDuringExecution:[PreferredSchedulingTerm]
  requiredDuringSchedulingIgnoredDuringExecution:NodeSelector
PreferredSchedulingTerm: preference:NodeSelectorTerm weight:i
NodeSelectorTerm!: matchExpressions:[NodeSelectorRequirement]
  matchFields:[NodeSelectorRequirement]
NodeSelectorRequirement: key operator values:[s]
NodeSelector!: nodeSelectorTerms:[NodeSelectorTerm]
PodAffinity: preferredDuringSchedulingIgnoredDuringExecution:[WeightedPodAffinityTerm]
  requiredDuringSchedulingIgnoredDuringExecution:[PodAffinityTerm]
WeightedPodAffinityTerm: podAffinityTerm:PodAffinityTerm weight:i
PodAffinityTerm: labelSelector:LabelSelector matchLabelKeys:[s] mismatchLabelKeys:[s]
  namespaceSelector:LabelSelector namespaces:[s] topologyKey
PodAntiAffinity: preferredDuringSchedulingIgnoredDuringExecution:[WeightedPodAffinityTerm]
  requiredDuringSchedulingIgnoredDuringExecution:[PodAffinityTerm]
Container: args:[s] command:[s] env:[EnvVar]=name~ envFrom:[EnvFromSource] image imagePullPolicy
  lifecycle:Lifecycle livenessProbe:Probe name
  ports:[ContainerPort]=containerPort,protocol~containerPort readinessProbe:Probe
  resizePolicy:[ContainerResizePolicy] resources:ResourceRequirements restartPolicy
  restartPolicyRules:[ContainerRestartRule] securityContext:SecurityContext startupProbe:Probe
  stdin:b stdinOnce:b terminationMessagePath terminationMessagePolicy tty:b
  volumeDevices:[VolumeDevice]=devicePath~ volumeMounts:[VolumeMount]=mountPath~ workingDir
EnvVar: name value valueFrom:EnvVarSource
EnvVarSource: configMapKeyRef:ConfigMapKeySelector fieldRef:ObjectFieldSelector
  fileKeyRef:FileKeySelector resourceFieldRef:ResourceFieldSelector secretKeyRef:SecretKeySelector
ConfigMapKeySelector!: key name optional:b
ObjectFieldSelector!: apiVersion fieldPath
FileKeySelector!: key optional:b path volumeName
ResourceFieldSelector!: containerName divisor:q resource
SecretKeySelector!: key name optional:b
EnvFromSource: configMapRef:ConfigMapEnvSource prefix secretRef:SecretEnvSource
ConfigMapEnvSource: name optional:b
SecretEnvSource: name optional:b
Lifecycle: postStart:LifecycleHandler preStop:LifecycleHandler stopSignal
LifecycleHandler: exec:ExecAction httpGet:HTTPGetAction sleep:SleepAction
  tcpSocket:TCPSocketAction
ExecAction: command:[s]
HTTPGetAction: host httpHeaders:[HTTPHeader] path port:x scheme
HTTPHeader: name value
SleepAction: seconds:i
TCPSocketAction: host port:x
Probe: exec:ExecAction failureThreshold:i grpc:GRPCAction httpGet:HTTPGetAction
  initialDelaySeconds:i periodSeconds:i successThreshold:i tcpSocket:TCPSocketAction
  terminationGracePeriodSeconds:i timeoutSeconds:i
GRPCAction: port:i service
ContainerPort: containerPort:i hostIP hostPort:i name protocol
ContainerResizePolicy: resourceName restartPolicy
ResourceRequirements: claims:[ResourceClaim]=name limits:{q} requests:{q}
ResourceClaim: name request
ContainerRestartRule: action exitCodes:ContainerRestartRuleOnExitCodes
ContainerRestartRuleOnExitCodes: operator values:[i]+
SecurityContext: allowPrivilegeEscalation:b appArmorProfile:AppArmorProfile
  capabilities:Capabilities privileged:b procMount readOnlyRootFilesystem:b runAsGroup:i
  runAsNonRoot:b runAsUser:i seLinuxOptions:SELinuxOptions seccompProfile:SeccompProfile
  windowsOptions:WindowsSecurityContextOptions
AppArmorProfile: localhostProfile type
Capabilities: add:[s] drop:[s]
SELinuxOptions: level role type user
SeccompProfile: localhostProfile type
WindowsSecurityContextOptions: gmsaCredentialSpec gmsaCredentialSpecName hostProcess:b
  runAsUserName
VolumeDevice: devicePath name
VolumeMount: mountPath mountPropagation name readOnly:b recursiveReadOnly subPath subPathExpr
PodDNSConfig: nameservers:[s] options:[PodDNSConfigOption] searches:[s]
PodDNSConfigOption: name value
EphemeralContainer: args:[s] command:[s] env:[EnvVar]=name~ envFrom:[EnvFromSource] image
  imagePullPolicy lifecycle:Lifecycle livenessProbe:Probe name
  ports:[ContainerPort]=containerPort,protocol~containerPort readinessProbe:Probe
  resizePolicy:[ContainerResizePolicy] resources:ResourceRequirements restartPolicy
  restartPolicyRules:[ContainerRestartRule] securityContext:SecurityContext startupProbe:Probe
  stdin:b stdinOnce:b targetContainerName terminationMessagePath terminationMessagePolicy tty:b
  volumeDevices:[VolumeDevice]=devicePath~ volumeMounts:[VolumeMount]=mountPath~ workingDir
HostAlias: hostnames:[s] ip
LocalObjectReference!: name
PodOS: name
PodReadinessGate: conditionType
PodResourceClaim: name resourceClaimName resourceClaimTemplateName
PodSchedulingGate: name
PodSchedulingGroup: podGroupName
PodSecurityContext: appArmorProfile:AppArmorProfile fsGroup:i fsGroupChangePolicy runAsGroup:i
  runAsNonRoot:b runAsUser:i seLinuxChangePolicy seLinuxOptions:SELinuxOptions
  seccompProfile:SeccompProfile supplementalGroups:[i] supplementalGroupsPolicy sysctls:[Sysctl]
  windowsOptions:WindowsSecurityContextOptions
Sysctl: name value
Toleration: effect key operator tolerationSeconds:i value
TopologySpreadConstraint: labelSelector:LabelSelector matchLabelKeys:[s] maxSkew:i minDomains:i
  nodeAffinityPolicy nodeTaintsPolicy topologyKey whenUnsatisfiable
Pod: metadata:ObjectMeta spec:PodSpec status:PodStatus
PodStatus: allocatedResources:{q} conditions:[PodCondition]=type~
  containerStatuses:[ContainerStatus] ephemeralContainerStatuses:[ContainerStatus]
  extendedResourceClaimStatus:PodExtendedResourceClaimStatus hostIP hostIPs:[HostIP]~ip
  initContainerStatuses:[ContainerStatus] message
  nodeAllocatableResourceClaimStatuses:[NodeAllocatableResourceClaimStatus] nominatedNodeName
  observedGeneration:i phase podIP podIPs:[PodIP]=ip~ qosClass reason resize
  resourceClaimStatuses:[PodResourceClaimStatus]=name~^ resources:ResourceRequirements startTime:t
PodCondition: lastProbeTime:t lastTransitionTime:t message observedGeneration:i reason status type
ContainerStatus: allocatedResources:{q} allocatedResourcesStatus:[ResourceStatus]=name~
  containerID image imageID lastState:ContainerState name ready:b resources:ResourceRequirements
  restartCount:i started:b state:ContainerState stopSignal user:ContainerUser
  volumeMounts:[VolumeMountStatus]=mountPath~
ResourceStatus: name resources:[ResourceHealth]=resourceID
ResourceHealth: health message resourceID
ContainerState: running:ContainerStateRunning terminated:ContainerStateTerminated
  waiting:ContainerStateWaiting
ContainerStateRunning: startedAt:t
ContainerStateTerminated: containerID exitCode:i finishedAt:t message reason signal:i startedAt:t
ContainerStateWaiting: message reason
ContainerUser: linux:LinuxContainerUser
LinuxContainerUser: gid:i supplementalGroups:[i] uid:i
VolumeMountStatus: mountPath name readOnly:b recursiveReadOnly volumeStatus:VolumeStatus
VolumeStatus: image:ImageVolumeStatus
ImageVolumeStatus: imageRef
PodExtendedResourceClaimStatus: requestMappings:[ContainerExtendedResourceRequest]
  resourceClaimName
ContainerExtendedResourceRequest: containerName requestName resourceName
HostIP: ip
NodeAllocatableResourceClaimStatus: containers:[s]+ resourceClaimName resources:{q}
PodIP: ip
PodResourceClaimStatus: name resourceClaimName
PodTemplate: metadata:ObjectMeta template:PodTemplateSpec
`;
