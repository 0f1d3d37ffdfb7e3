/** Pods, their templates and their status. In the notation that `shape/parse.ts` reads. */
export const podNotation = `
PodTemplateSpec: metadata:ObjectMeta@1 spec:PodSpec@2
PodSpec: activeDeadlineSeconds:i@5* affinity:Affinity@18* automountServiceAccountToken:b@21*
  containers:[Container]=name~@2 dnsConfig:PodDNSConfig@26* dnsPolicy@6 enableServiceLinks:b@30*
  ephemeralContainers:[EphemeralContainer]=name~@34 hostAliases:[HostAlias]=ip~@23 hostIPC:b@13
  hostNetwork:b@11 hostPID:b@12 hostUsers:b@37* hostname@16 hostnameOverride@41*
  imagePullSecrets:[LocalObjectReference]=name~@15 initContainers:[Container]=name~@20 nodeName@10
  nodeSelector:{s}!@7 os:PodOS@36* overhead:{q}@32 preemptionPolicy@31* priority:i@25*
  priorityClassName@24 readinessGates:[PodReadinessGate]@28
  resourceClaims:[PodResourceClaim]=name~^@39 resources:ResourceRequirements@40* restartPolicy@3
  runtimeClassName@29* schedulerName@19 schedulingGates:[PodSchedulingGate]=name~@38
  schedulingGroup:PodSchedulingGroup@43* securityContext:PodSecurityContext@14* serviceAccount@9
  serviceAccountName@8 setHostnameAsFQDN:b@35* shareProcessNamespace:b@27* subdomain@17
  terminationGracePeriodSeconds:i@4* tolerations:[Toleration]@22
  topologySpreadConstraints:[TopologySpreadConstraint]=topologyKey,whenUnsatisfiable~topologyKey@33
  volumes:[Volume]=name~^@1
Affinity: nodeAffinity:NodeAffinity@1* podAffinity:PodAffinity@2*
  podAntiAffinity:PodAntiAffinity@3*
NodeAffinity: preferredDuringSchedulingIgnoredDuringExecution:[PreferredSchedulingTerm]@2
  requiredDuringSchedulingIgnoredDuringExecution:NodeSelector@1*
PreferredSchedulingTerm: preference:NodeSelectorTerm@2 weight:i@1
NodeSelectorTerm!: matchExpressions:[NodeSelectorRequirement]@1
  matchFields:[NodeSelectorRequirement]@2
NodeSelectorRequirement: key@1 operator@2 values:[s]@3
NodeSelector!: nodeSelectorTerms:[NodeSelectorTerm]@1
PodAffinity: preferredDuringSchedulingIgnoredDuringExecution:[WeightedPodAffinityTerm]@2
  requiredDuringSchedulingIgnoredDuringExecution:[PodAffinityTerm]@1
WeightedPodAffinityTerm: podAffinityTerm:PodAffinityTerm@2 weight:i@1
PodAffinityTerm: labelSelector:LabelSelector@1* matchLabelKeys:[s]@5 mismatchLabelKeys:[s]@6
  namespaceSelector:LabelSelector@4* namespaces:[s]@2 topologyKey@3
PodAntiAffinity: preferredDuringSchedulingIgnoredDuringExecution:[WeightedPodAffinityTerm]@2
  requiredDuringSchedulingIgnoredDuringExecution:[PodAffinityTerm]@1
Container: args:[s]@4 command:[s]@3 env:[EnvVar]=name~@7 envFrom:[EnvFromSource]@19 image@2
  imagePullPolicy@14 lifecycle:Lifecycle@12* livenessProbe:Probe@10* name@1
  ports:[ContainerPort]=containerPort,protocol~containerPort@6 readinessProbe:Probe@11*
  resizePolicy:[ContainerResizePolicy]@23 resources:ResourceRequirements@8 restartPolicy@24*
  restartPolicyRules:[ContainerRestartRule]@25 securityContext:SecurityContext@15*
  startupProbe:Probe@22* stdin:b@16 stdinOnce:b@17 terminationMessagePath@13
  terminationMessagePolicy@20 tty:b@18 volumeDevices:[VolumeDevice]=devicePath~@21
  volumeMounts:[VolumeMount]=mountPath~@9 workingDir@5
EnvVar: name@1 value@2 valueFrom:EnvVarSource@3*
EnvVarSource: configMapKeyRef:ConfigMapKeySelector@3* fieldRef:ObjectFieldSelector@1*
  fileKeyRef:FileKeySelector@5* resourceFieldRef:ResourceFieldSelector@2*
  secretKeyRef:SecretKeySelector@4*
ConfigMapKeySelector!: key@2 name@1.1 optional:b@3*
ObjectFieldSelector!: apiVersion@1 fieldPath@2
FileKeySelector!: key@3 optional:b@4* path@2 volumeName@1
ResourceFieldSelector!: containerName@1 divisor:q@3 resource@2
SecretKeySelector!: key@2 name@1.1 optional:b@3*
EnvFromSource: configMapRef:ConfigMapEnvSource@2* prefix@1 secretRef:SecretEnvSource@3*
ConfigMapEnvSource: name@1.1 optional:b@2*
SecretEnvSource: name@1.1 optional:b@2*
Lifecycle: postStart:LifecycleHandler@1* preStop:LifecycleHandler@2* stopSignal@3*
LifecycleHandler: exec:ExecAction@1* httpGet:HTTPGetAction@2* sleep:SleepAction@4*
  tcpSocket:TCPSocketAction@3*
ExecAction: command:[s]@1
HTTPGetAction: host@3 httpHeaders:[HTTPHeader]@5 path@1 port:x@2 scheme@4
HTTPHeader: name@1 value@2
SleepAction: seconds:i@1
TCPSocketAction: host@2 port:x@1
Probe: exec:ExecAction@1.1* failureThreshold:i@6 grpc:GRPCAction@1.4* httpGet:HTTPGetAction@1.2*
  initialDelaySeconds:i@2 periodSeconds:i@4 successThreshold:i@5 tcpSocket:TCPSocketAction@1.3*
  terminationGracePeriodSeconds:i@7* timeoutSeconds:i@3
GRPCAction: port:i@1 service@2*
ContainerPort: containerPort:i@3 hostIP@5 hostPort:i@2 name@1 protocol@4
ContainerResizePolicy: resourceName@1 restartPolicy@2
ResourceRequirements: claims:[ResourceClaim]=name@3 limits:{q}@1 requests:{q}@2
ResourceClaim: name@1 request@2
ContainerRestartRule: action@1 exitCodes:ContainerRestartRuleOnExitCodes@2*
ContainerRestartRuleOnExitCodes: operator@1 values:[i]+@2
SecurityContext: allowPrivilegeEscalation:b@7* appArmorProfile:AppArmorProfile@12*
  capabilities:Capabilities@1* privileged:b@2* procMount@9* readOnlyRootFilesystem:b@6*
  runAsGroup:i@8* runAsNonRoot:b@5* runAsUser:i@4* seLinuxOptions:SELinuxOptions@3*
  seccompProfile:SeccompProfile@11* windowsOptions:WindowsSecurityContextOptions@10*
AppArmorProfile: localhostProfile@2* type@1
Capabilities: add:[s]@1 drop:[s]@2
SELinuxOptions: level@4 role@2 type@3 user@1
SeccompProfile: localhostProfile@2* type@1
WindowsSecurityContextOptions: gmsaCredentialSpec@2* gmsaCredentialSpecName@1* hostProcess:b@4*
  runAsUserName@3*
VolumeDevice: devicePath@2 name@1
VolumeMount: mountPath@3 mountPropagation@5* name@1 readOnly:b@2 recursiveReadOnly@7* subPath@4
  subPathExpr@6
PodDNSConfig: nameservers:[s]@1 options:[PodDNSConfigOption]@3 searches:[s]@2
PodDNSConfigOption: name@1 value@2*
EphemeralContainer: args:[s]@1.4 command:[s]@1.3 env:[EnvVar]=name~@1.7
  envFrom:[EnvFromSource]@1.19 image@1.2 imagePullPolicy@1.14 lifecycle:Lifecycle@1.12*
  livenessProbe:Probe@1.10* name@1.1
  ports:[ContainerPort]=containerPort,protocol~containerPort@1.6 readinessProbe:Probe@1.11*
  resizePolicy:[ContainerResizePolicy]@1.23 resources:ResourceRequirements@1.8 restartPolicy@1.24*
  restartPolicyRules:[ContainerRestartRule]@1.25 securityContext:SecurityContext@1.15*
  startupProbe:Probe@1.22* stdin:b@1.16 stdinOnce:b@1.17 targetContainerName@2
  terminationMessagePath@1.13 terminationMessagePolicy@1.20 tty:b@1.18
  volumeDevices:[VolumeDevice]=devicePath~@1.21 volumeMounts:[VolumeMount]=mountPath~@1.9
  workingDir@1.5
HostAlias: hostnames:[s]@2 ip@1
LocalObjectReference!: name@1
PodOS: name@1
PodReadinessGate: conditionType@1
PodResourceClaim: name@1 resourceClaimName@3* resourceClaimTemplateName@4*
PodSchedulingGate: name@1
PodSchedulingGroup: podGroupName@1*
PodSecurityContext: appArmorProfile:AppArmorProfile@11* fsGroup:i@5* fsGroupChangePolicy@9*
  runAsGroup:i@6* runAsNonRoot:b@3* runAsUser:i@2* seLinuxChangePolicy@13*
  seLinuxOptions:SELinuxOptions@1* seccompProfile:SeccompProfile@10* supplementalGroups:[i]@4
  supplementalGroupsPolicy@12* sysctls:[Sysctl]@7 windowsOptions:WindowsSecurityContextOptions@8*
Sysctl: name@1 value@2
Toleration: effect@4 key@1 operator@2 tolerationSeconds:i@5* value@3
TopologySpreadConstraint: labelSelector:LabelSelector@4* matchLabelKeys:[s]@8 maxSkew:i@1
  minDomains:i@5* nodeAffinityPolicy@6* nodeTaintsPolicy@7* topologyKey@2 whenUnsatisfiable@3
Pod: metadata:ObjectMeta@1 spec:PodSpec@2 status:PodStatus@3
PodStatus: allocatedResources:{q}@19 conditions:[PodCondition]=type~@2
  containerStatuses:[ContainerStatus]@8 ephemeralContainerStatuses:[ContainerStatus]@13
  extendedResourceClaimStatus:PodExtendedResourceClaimStatus@18* hostIP@5 hostIPs:[HostIP]~ip@16
  initContainerStatuses:[ContainerStatus]@10 message@3
  nodeAllocatableResourceClaimStatuses:[NodeAllocatableResourceClaimStatus]@21
  nominatedNodeName@11 observedGeneration:i@17 phase@1 podIP@6 podIPs:[PodIP]=ip~@12 qosClass@9
  reason@4 resize@14 resourceClaimStatuses:[PodResourceClaimStatus]=name~^@15
  resources:ResourceRequirements@20* startTime:t@7*
PodCondition: lastProbeTime:t@3 lastTransitionTime:t@4 message@6 observedGeneration:i@7 reason@5
  status@2 type@1
ContainerStatus: allocatedResources:{q}@10 allocatedResourcesStatus:[ResourceStatus]=name~@14
  containerID@8 image@6 imageID@7 lastState:ContainerState@3 name@1 ready:b@4
  resources:ResourceRequirements@11* restartCount:i@5 started:b@9* state:ContainerState@2
  stopSignal@15* user:ContainerUser@13* volumeMounts:[VolumeMountStatus]=mountPath~@12
ResourceStatus: name@1 resources:[ResourceHealth]=resourceID@2
ResourceHealth: health@2 message@6* resourceID@1
ContainerState: running:ContainerStateRunning@2* terminated:ContainerStateTerminated@3*
  waiting:ContainerStateWaiting@1*
ContainerStateRunning: startedAt:t@1
ContainerStateTerminated: containerID@7 exitCode:i@1 finishedAt:t@6 message@4 reason@3 signal:i@2
  startedAt:t@5
ContainerStateWaiting: message@2 reason@1
ContainerUser: linux:LinuxContainerUser@1*
LinuxContainerUser: gid:i@2 supplementalGroups:[i]@3 uid:i@1
VolumeMountStatus: mountPath@2 name@1 readOnly:b@3 recursiveReadOnly@4*
  volumeStatus:VolumeStatus@5*
VolumeStatus: image:ImageVolumeStatus@1*
ImageVolumeStatus: imageRef@1
PodExtendedResourceClaimStatus: requestMappings:[ContainerExtendedResourceRequest]@1
  resourceClaimName@2
ContainerExtendedResourceRequest: containerName@1 requestName@3 resourceName@2
HostIP: ip@1
NodeAllocatableResourceClaimStatus: containers:[s]+@2 resourceClaimName@1 resources:{q}@3
PodIP: ip@1
PodResourceClaimStatus: name@1 resourceClaimName@2*
PodTemplate: metadata:ObjectMeta@1 template:PodTemplateSpec@2
`;
